#include "scenarios/machine/streams.hpp"

#include <array>
#include <cstring>

#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::array<WalkInfo, 3> table{{{Walk::read, "read", 1}, {Walk::copy, "copy", 2}, {Walk::triad, "triad", 3}}};

constexpr std::size_t unroll = 8;  // independent sums, so that additions never wait for each other
static_assert(stream_grain % static_cast<std::int64_t>(unroll * lanes) == 0);

// the extension lets a vector type alias the floats that it is made of
using Loaded = float __attribute__((vector_size(vector_bytes), may_alias));

}  // namespace

std::span<const WalkInfo> walks() { return table; }

float read(const float* from, std::int64_t count) {
  const auto* vectors = reinterpret_cast<const Loaded*>(from);
  const std::int64_t n = count / static_cast<std::int64_t>(lanes);
  Vector a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (std::int64_t i = 0; i < n; i += unroll) {
    a += vectors[i], b += vectors[i + 1], c += vectors[i + 2], d += vectors[i + 3];
    e += vectors[i + 4], f += vectors[i + 5], g += vectors[i + 6], h += vectors[i + 7];
  }
  const Vector sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
  float total = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) total += sum[lane];
  return total;
}

void copy(float* to, const float* from, std::int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
}

void triad(float* to, const float* left, const float* right, float factor, std::int64_t count) {
  auto* target = reinterpret_cast<Loaded*>(to);
  const auto* first = reinterpret_cast<const Loaded*>(left);
  const auto* second = reinterpret_cast<const Loaded*>(right);
  const Vector scale = filled(factor);
  const std::int64_t n = count / static_cast<std::int64_t>(lanes);
  for (std::int64_t i = 0; i < n; i += 4)
    for (std::int64_t j = i; j < i + 4; ++j) target[j] = first[j] + scale * second[j];
}

}  // namespace assay::scenarios::machine

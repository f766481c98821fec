#include "scenarios/selftest/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

namespace assay::scenarios {
namespace {

constexpr std::size_t cells_of_chunk = 1024;  // 8 KiB: in the first cache
constexpr std::int64_t iterations = 60;

struct Size {
  std::size_t buffer, chunks;  // chunks that the buffer holds, and that one call works through
};

/// "small" is what a core does alone; "large" (4 MiB) walks through caches and memory that it shares with its
/// neighbours.
Size size_of(const std::string& name) { return name == "large" ? Size{512, 1024} : Size{1, 4096}; }

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

double slowdown() {
  const std::string text = from_environment("ASSAY_SELFTEST_SLOWDOWN");
  const double share = text.empty() ? 0 : std::strtod(text.c_str(), nullptr);
  if (!(share >= 0 && share <= 10))
    throw std::invalid_argument("ASSAY_SELFTEST_SLOWDOWN=" + text + ": expected 0 to 10");
  return share;
}

/// Begins at a cache line: unaligned vectors would cost a quarter, by luck of the allocator.
template <class T>
struct AtCacheLine {
  using value_type = T;
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* block, std::size_t) { ::operator delete (block, std::align_val_t{64}); }
  bool operator==(const AtCacheLine&) const = default;
};
using Cells = std::vector<double, AtCacheLine<double>>;

void work(std::span<double> chunk) {
  for (double& cell : chunk) cell = cell * 0.5 + 1.0;
}

void spin(const harness::Parameters& parameters, harness::Reporter& report) {
  const Size size = size_of(parameters.text("size"));
  const std::string fault = from_environment("ASSAY_SELFTEST_FAULT");
  if (fault == "crash") std::abort();
  const auto chunks = static_cast<std::size_t>(std::llround(static_cast<double>(size.chunks) * (1 + slowdown())));
  Cells cells(size.buffer * cells_of_chunk, 0.0);
  std::size_t next = 0;
  report.time("spin_time", {.iterations = iterations}, [&] {
    for (std::size_t i = 0; i < chunks; ++i) {
      work(std::span(cells).subspan(next * cells_of_chunk, cells_of_chunk));
      next = (next + 1) % size.buffer;
    }
  });
  // x -> x / 2 + 1 from 0 gives 2 (1 - 2^-k) after k steps: 2 to the last bit after the 60 and more of the first
  // repetition.
  double worst = fault == "answer" ? 1.0 : 0.0;
  for (const double cell : cells) worst = std::max(worst, std::abs(cell - 2.0));
  report.check("every cell is the limit of its series", worst, 1e-12);
  report.value("chunks", "chunks", "lower", static_cast<double>(size.chunks + (fault == "count")));
}

}  // namespace

harness::Scenario selftest_scenario() {
  harness::Scenario s("selftest", "Does the gate find what was slowed on purpose, and nothing else?");
  s.timed("spin", spin)
      .parameter("size", {"small", "large"})
      .metric("spin_time", "ns", "lower")
      .exact_metric("chunks", "chunks", "lower");
  s.group("spin", {"spin", "spin{size=large}"});
  s.gate("spin", "spin_time").gate("spin{size=large}", "spin_time").gate_exactly("spin", "chunks");
  s.budget("quick", 10).budget("standard", 20).budget("full", 40);
  return s;
}

}  // namespace assay::scenarios

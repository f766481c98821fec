#include "scenarios/kernels/buffers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/convert.hpp"
#include "engine/core/random.hpp"

namespace assay::scenarios::kernels {
namespace {

constexpr std::int64_t max_drawn = 1 << 18;

/// Where the maximum of pooling window `i` lies: each cell of the window in turn.
std::int64_t offset_in_image(const Size& size, std::int64_t i) {
  const engine::Shape &x = size.attributes.shape, &y = size.in[0].shape;
  const std::int64_t window = size.attributes.window, cell = i % (window * window);
  const std::int64_t column = i / y[3] % y[2], row = i / y[3] / y[2] % y[1];
  return (row * size.attributes.stride + cell / window) * x[2] + column * size.attributes.stride + cell % window;
}

double element(const Size& size, std::size_t input, std::int64_t i) {
  const auto place = static_cast<std::uint64_t>(i);
  switch (size.in[input].content) {
    case Content::normal:
    case Content::positive:
      break;  // drawn a whole tensor at a time
    case Content::label:
      return static_cast<double>(i * 7 % size.in[input - 1].shape[-1]);
    case Content::key:
      return i == 0 ? 42 : 7;
    case Content::mask:
      return static_cast<double>(engine::Philox::block(0, input, place)[0] & 1U);
    case Content::offset:
      return static_cast<double>(offset_in_image(size, i));
    case Content::step:
      return 3;
    case Content::one:
      return 1;
    case Content::rate:
      return 0.001;
  }
  return 0;
}

}  // namespace

Buffers::Buffers(engine::Op op, engine::Prepared prepared) : prepared_(std::move(prepared)) {
  const auto hold = [this](std::size_t bytes) { return storage_.emplace_back(std::max<std::size_t>(bytes, 1)).data(); };
  for (const auto& type : prepared_.in) in_.push_back({hold(type.bytes()), &type});
  for (std::size_t i = 0; i < prepared_.out.size(); ++i) {
    const auto& type = prepared_.out[i];
    const int reused = engine::is_update(op) ? engine::reused_input(op, in_.size(), i) : -1;
    out_.push_back({reused >= 0 ? in_[static_cast<std::size_t>(reused)].data : hold(type.bytes()), &type});
  }
  if (prepared_.workspace > 0) context_.workspace = hold(prepared_.workspace);
  state_ = prepared_.kernel->make_state();
  context_.state = state_.get();
}

void fill(const Size& size, std::size_t i, const engine::View& view) {
  const std::int64_t count = view.type->shape.elements();
  const Content content = size.in[i].content;
  if (content == Content::normal || content == Content::positive) {
    // drawn once, then repeated: kernels take as long, and large ones are filled in a moment
    auto* const values = view.as<float>();
    const std::int64_t drawn = std::min(count, max_drawn);
    const std::span first(values, static_cast<std::size_t>(drawn));
    if (content == Content::normal)
      engine::fill_normal(first, 0, i);
    else
      engine::fill_uniform(first, 0, i, 0.5F, 1.5F);
    for (std::int64_t at = drawn; at < count; at += drawn)
      std::copy_n(values, std::min(drawn, count - at), values + at);
    return;
  }
  engine::visit_dtype(view.type->dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t at = 0; at < count; ++at) view.as<T>()[at] = engine::convert<T>(element(size, i, at));
  });
}

void copy(const engine::View& from, const engine::View& to, const engine::Target& target) {
  if (from.type->layout == to.type->layout) {
    std::memcpy(to.data, from.data, from.type->bytes());
    return;
  }
  const std::array in{*from.type}, out{*to.type};
  Buffers reorder(engine::Op::reorder, engine::prepare({engine::Op::reorder, {}}, in, out, target));
  std::memcpy(reorder.in(0).data, from.data, from.type->bytes());
  reorder.run();
  std::memcpy(to.data, reorder.out(0).data, to.type->bytes());
}

double relative_error(const engine::View& a, const engine::View& b) {
  return engine::visit_dtype(a.type->dtype, [&](auto zero) {
    using T = decltype(zero);
    double worst = 0, largest = std::numeric_limits<double>::min();
    for (std::int64_t i = 0; i < a.type->shape.elements(); ++i) {
      const auto found = engine::convert<double>(a.as<const T>()[i]),
                 expected = engine::convert<double>(b.as<const T>()[i]);
      if (!std::isfinite(found) || !std::isfinite(expected)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, std::fabs(found - expected));
      largest = std::max(largest, std::fabs(expected));
    }
    return worst / largest;
  });
}

}  // namespace assay::scenarios::kernels

#include "scenarios/machine/held_matmul.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "engine/core/convert.hpp"
#include "engine/core/random.hpp"
#include "engine/core/threads.hpp"
#include "harness/cases/reporter.hpp"

namespace assay::scenarios::machine {
namespace {
using engine::DType;

// What the product of each dtype may be stored in, the one that says most about the hardware first.
struct Form {
  DType in;
  std::vector<DType> out;
};
const std::array<Form, 5> forms{{{DType::float32, {DType::float32}},
                                 {DType::float64, {DType::float64}},
                                 {DType::bfloat16, {DType::bfloat16, DType::float32}},
                                 {DType::float16, {DType::float16, DType::float32}},
                                 {DType::int8, {DType::int32, DType::float32}}}};

const Form& form_of(DType dtype) {
  for (const auto& form : forms)
    if (form.in == dtype) return form;
  throw std::invalid_argument("no matrix product is measured in " + std::string{engine::name(dtype)});
}

engine::Prepared prepare_native(DType dtype, std::int64_t side, const engine::Target& target) {
  const engine::Shape shape{side, side};
  const std::array in{engine::TensorType{dtype, shape, {}}, engine::TensorType{dtype, shape, {}}};
  std::string declined;
  for (const DType stored : form_of(dtype).out) {
    const std::array out{engine::TensorType{stored, shape, {}}};
    try {
      auto prepared = engine::prepare({engine::Op::matmul, {}}, in, out, target);
      const auto& info = prepared.info;
      if (!info.emulated && !info.name.starts_with("reference")) return prepared;
      declined = info.name + (info.emulated ? " emulates the format" : " is a plain loop, made for tests");
      for (const auto& reason : info.fallbacks) declined += "; " + reason;
    } catch (const engine::Unsupported& reason) {
      declined = reason.what();
    }
  }
  throw harness::Skipped("no native matrix product in " + std::string{engine::name(dtype)} + ": " + declined);
}

double number_at(const engine::View& view, std::int64_t index) {
  return engine::visit_dtype(
      view.type->dtype, [&](auto zero) { return engine::convert<double>(view.as<const decltype(zero)>()[index]); });
}

// float types uniform in [-1, 1), int8 in -127..127
void fill(const engine::View& view, std::uint64_t stream) {
  const double scale = view.type->dtype == DType::int8 ? 127 : 1;
  engine::visit_dtype(view.type->dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < view.type->shape.elements(); ++i) {
      // 48 random bits: with the 24 of one word every float64 sum would be exact, and the check would test little
      const auto words = engine::Philox::block(0, stream, static_cast<std::uint64_t>(i));
      const double unit = engine::unit_float(words[0]) + 0x1p-24 * static_cast<double>(engine::unit_float(words[1]));
      view.as<T>()[i] = engine::convert<T>(scale * (2 * unit - 1));
    }
  });
}

double rounding_unit(DType dtype) {
  if (dtype == DType::float64) return 0x1p-53;
  if (dtype == DType::float32) return 0x1p-24;
  if (dtype == DType::float16) return 0x1p-11;
  return dtype == DType::bfloat16 ? 0x1p-8 : 0;  // whole numbers below 2^24 are exact
}

}  // namespace

HeldMatmul::HeldMatmul(DType dtype, std::int64_t side, int threads, const harness::Parameters& parameters)
    : side_(side), controls_(engine::ControlSet::without(parameters.off)), threads_(threads) {
  engine::set_team_size(threads);
  prepared_ = prepare_native(dtype, side, {engine::Device::cpu, threads, &controls_});
  const auto hold = [this](const std::vector<engine::TensorType>& types, std::vector<engine::View>& views) {
    for (const auto& type : types) views.push_back({storage_.emplace_back(type.bytes()).data(), &type});
  };
  hold(prepared_.in, in_);
  hold(prepared_.out, out_);
  if (prepared_.workspace > 0) context_.workspace = storage_.emplace_back(prepared_.workspace).data();
  for (std::size_t i = 0; i < in_.size(); ++i) fill(in_[i], i);
  state_ = prepared_.kernel->make_state();
  context_.state = state_.get();
}

void HeldMatmul::run() {
  engine::set_team_size(threads_);
  prepared_.kernel->run(in_, out_, context_);
}

double HeldMatmul::operations() const { return 2.0 * std::pow(static_cast<double>(side_), 3); }

nlohmann::json HeldMatmul::choice() const {
  const auto& info = prepared_.info;
  return {{"kernel", info.name},
          {"threads", info.threads},
          {"compute", engine::name(info.compute)},
          {"accumulate", engine::name(info.accumulate)},
          {"result", engine::name(out_[0].type->dtype)},
          {"fallbacks", info.fallbacks}};
}

double HeldMatmul::entry_error(std::int64_t row, std::int64_t column) const {
  // wider than float64 where the machine has it, so that the float64 product is judged too
  long double exact = 0, magnitude = 0;
  for (std::int64_t k = 0; k < side_; ++k) {
    const long double left = number_at(in_[0], row * side_ + k), right = number_at(in_[1], k * side_ + column);
    exact += left * right;
    magnitude += std::fabs(left * right);
  }
  if (magnitude == 0) return 0;
  return static_cast<double>(std::fabs(number_at(out_[0], row * side_ + column) - exact) / magnitude);
}

double HeldMatmul::error() const {
  constexpr std::int64_t samples = 64;
  double worst = 0;
  for (std::int64_t i = 0; i < samples; ++i) {
    // both coordinates run over the whole matrix, borders included, never in step
    const double error = entry_error(i * (side_ - 1) / (samples - 1), (i * 37 % samples) * (side_ - 1) / (samples - 1));
    if (!std::isfinite(error)) return std::numeric_limits<double>::quiet_NaN();
    worst = std::max(worst, error);
  }
  return worst;
}

double HeldMatmul::error_limit() const {
  const DType in = in_[0].type->dtype;
  const double summing = in == DType::float64 ? 0x1p-53 : in == DType::int8 ? 0 : 0x1p-24;
  return static_cast<double>(side_) * summing + rounding_unit(out_[0].type->dtype) * (in == DType::int8 ? 0 : 1);
}

}  // namespace assay::scenarios::machine

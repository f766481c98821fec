#include "engine/precision/loss_scale.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/precision.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

Variable counter(const char* name) { return {name, Tensor::scalar(0.0F)}; }

Tensor minimum(const Tensor& x, double most) {
  return negate(maximum(negate(x), Tensor::scalar(static_cast<float>(-most))));
}

constexpr double smallest = 0x1p-126, largest = 0x1p126;  // float32 keeps these, their inverses and their doubles
// advance() moves the scale by 1 + (factor - 1) and counts steps in float32: what it must tell apart.
constexpr double min_factor = 1 + 0x1p-10, max_factor = 0x1p20;
constexpr double max_steps = 0x1p24;

template <class... Numbers>
void require(bool holds, const std::string& what, Numbers... found) {
  if (holds) return;
  std::ostringstream text;
  text << "loss scale: " << what << ", found";
  ((text << " " << found), ...);
  throw std::invalid_argument(text.str());
}

}  // namespace

LossScale::LossScale(const LossScaleSettings& settings)
    : settings_(settings),
      scale_("loss_scale/scale", Tensor::scalar(static_cast<float>(settings.initial))),
      clean_(counter("loss_scale/clean_steps")),
      skipped_(counter("loss_scale/skipped")),
      in_a_row_(counter("loss_scale/skipped_in_a_row")) {
  require(smallest <= settings.initial && settings.initial <= largest,
          "expected a finite scale above 0, from 2^-126 to 2^126", settings.initial);
  require(min_factor <= settings.factor && settings.factor <= max_factor,
          "expected a factor above 1, from 1 + 2^-10 to 2^20", settings.factor);
  const auto counts = [](auto steps) { return steps > 0 && static_cast<double>(steps) <= max_steps; };
  require(counts(settings.growth_interval) && counts(settings.max_skips), "expected intervals of 1 to 2^24 steps",
          settings.growth_interval, settings.max_skips);
  require(!settings.dynamic || (smallest <= settings.floor && settings.floor <= settings.initial &&
                                settings.initial <= settings.ceiling && settings.ceiling <= largest),
          "expected 2^-126 <= floor <= initial <= ceiling <= 2^126", settings.floor, settings.initial,
          settings.ceiling);
}

Tensor LossScale::scaled(const Tensor& loss) const { return loss * cast(scale_.value(), loss.dtype()); }

LossScale::Unscaled LossScale::unscaled(std::span<const Tensor> gradients) const {
  Unscaled result;
  const Tensor scale = scale_.value();
  for (const Tensor& gradient : gradients) {
    const DType type = is_narrow(gradient.dtype()) ? DType::float32 : gradient.dtype();
    result.gradients.push_back(cast(gradient, type) / cast(scale, type));
    const Tensor finite = all_finite(result.gradients.back());
    result.finite = result.finite.defined() ? result.finite * finite : finite;
  }
  return result;
}

void LossScale::advance(const Tensor& finite) {
  const Tensor overflow = one_minus(finite);
  skipped_.assign(skipped_.value() + overflow);
  in_a_row_.assign((in_a_row_.value() + overflow) * overflow);
  if (!settings_.dynamic) return;
  const Tensor clean = (clean_.value() + finite) * finite;
  const Tensor grows = equal(clean, Tensor::scalar(static_cast<float>(settings_.growth_interval)));
  clean_.assign(clean * one_minus(grows));
  // The factor where the condition is 1, else 1. The scale falls by a division, so that it comes back to the value that
  // it grew from.
  const auto factor_where = [&](const Tensor& condition) {
    return add_scalar(engine::scale(condition, settings_.factor - 1), 1);
  };
  const Tensor moved = scale_.value() * factor_where(grows) / factor_where(overflow);
  scale_.assign(maximum(minimum(moved, settings_.ceiling), Tensor::scalar(static_cast<float>(settings_.floor))));
}

}  // namespace assay::engine

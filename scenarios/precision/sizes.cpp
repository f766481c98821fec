// From which size on does a 16-bit matrix product pay? Square products in every format that this CPU computes in.
#include <algorithm>
#include <cmath>
#include <memory>

#include "scenarios/machine/held_matmul.hpp"
#include "scenarios/machine/turns.hpp"
#include "scenarios/precision/precision.hpp"

namespace assay::scenarios::precision {
namespace {

constexpr std::int64_t sides[] = {16, 32, 64, 128, 256, 512, 1024};
constexpr double nanoseconds_a_turn = 300e3;
constexpr int turns = 9;
constexpr double pays = 0.9;  // of float32's time

struct Format {
  engine::DType dtype;
  std::vector<double> sides{}, times{};
};

/// The formats' products of one size, timed in turns. A format without a native kernel is left out, with its reason.
void time_side(std::int64_t side, std::vector<Format>& formats, const harness::Parameters& parameters,
               harness::Reporter& report) {
  std::vector<std::unique_ptr<machine::HeldMatmul>> held;
  std::vector<Format*> native;
  std::vector<std::function<void()>> works;
  std::vector<std::int64_t> calls;
  for (Format& format : formats) {
    try {
      held.push_back(std::make_unique<machine::HeldMatmul>(format.dtype, side, parameters.threads, parameters));
    } catch (const harness::Skipped& reason) {
      if (side == sides[0]) report.choose("no " + std::string(engine::name(format.dtype)) + " curve", reason.what());
      continue;
    }
    machine::HeldMatmul& product = *held.back();
    product.run();
    if (side == 64)
      report.check(std::string(engine::name(format.dtype)) + " product of 64 is right", product.error(),
                   product.error_limit());
    const double once = machine::shortest_in_turns({[&] { product.run(); }}, 3)[0];
    calls.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(nanoseconds_a_turn / once)));
    works.push_back([&product, count = calls.back()] {
      for (std::int64_t i = 0; i < count; ++i) product.run();
    });
    native.push_back(&format);
  }
  const auto times = machine::shortest_in_turns(works, turns);
  for (std::size_t i = 0; i < native.size(); ++i) {
    native[i]->sides.push_back(static_cast<double>(side));
    native[i]->times.push_back(times[i] / static_cast<double>(calls[i]));
  }
}

/// The smallest side from which on every product takes less than `pays` of float32's time; NaN where none does.
double pays_from(const Format& format, const Format& plain) {
  double from = std::nan("");
  for (std::size_t i = format.sides.size(); i-- > 0 && format.times[i] < pays * plain.times[i];) from = format.sides[i];
  return from;
}

}  // namespace

void sizes(const harness::Parameters& parameters, harness::Reporter& report) {
  std::vector<Format> formats{
      {engine::DType::float32}, {engine::DType::bfloat16}, {engine::DType::float16}, {engine::DType::float64}};
  for (const std::int64_t side : sides) time_side(side, formats, parameters, report);
  const Format& plain = formats[0];
  for (const Format& format : formats) {
    if (format.sides.empty()) continue;
    const std::string name(engine::name(format.dtype));
    report.series(name + " product", {"side", "", format.sides}, {"time", "ns", format.times});
    if (&format == &plain) continue;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < format.times.size(); ++i) ratios.push_back(format.times[i] / plain.times[i]);
    report.series(name + " over float32", {"side", "", format.sides}, {"ratio", "", ratios});
    const double from = pays_from(format, plain);
    if (std::isfinite(from))
      report.value(name + "_pays_from", "", "lower", from);
    else
      report.choose(name + " pays", "at no size up to " + std::to_string(std::llround(format.sides.back())));
  }
  report.choose(
      "how these were measured",
      "in one process, formats in turns, the shortest of 9; for the shape of the curve. A format pays where a "
      "product takes less than 0.9 of float32's time");
}

}  // namespace assay::scenarios::precision

#include "harness/gate/null_control.hpp"

#include <cmath>

#include "harness/stats/median.hpp"
#include "harness/stats/paired_rows.hpp"

namespace assay::harness {
namespace {

constexpr double gate_alarm_p = 0.001, benchmark_alarm_p = 0.01;
constexpr int min_rounds = 12;

NullControl sign_test(std::span<const double> differences) {
  NullControl control;
  control.rounds = static_cast<int>(differences.size());
  for (const double z : differences) {
    control.slower += z > 0;
    control.faster += z < 0;
  }
  control.p = mcnemar_p(control.slower, control.faster);  // the same exact two-sided binomial
  if (!differences.empty()) control.median = median(differences);
  return control;
}

}  // namespace

NullControl control_of_gate(std::span<const double> differences) {
  NullControl control = sign_test(differences);
  control.alarm = control.p <= gate_alarm_p;
  return control;
}

NullControl control_of_benchmark(std::span<const double> differences, const Preset& preset) {
  NullControl control = sign_test(differences);
  control.alarm = control.rounds >= min_rounds && control.p <= benchmark_alarm_p &&
                  std::abs(control.median) > preset.log_floor() / 2;
  return control;
}

}  // namespace assay::harness

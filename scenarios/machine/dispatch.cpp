#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "engine/core/storage.hpp"
#include "engine/core/threads.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/kernels/backend.hpp"
#include "engine/kernels/settings.hpp"
#include "engine/ops/arithmetic.hpp"
#include "scenarios/machine/cases.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::int64_t elements = 8;  // less than a cache line: nothing to compute, what is left is the call

// Fixed counts: on a busy machine a fork-join takes a hundred times as long as in the moment in which a count would be
// found.
harness::TimingOptions calls(std::int64_t count) {
  harness::TimingOptions options;
  options.iterations = count;
  options.warmup = 10;
  return options;
}

/// (a, b) -> a + b on `elements` float32 values, prepared and held.
class TinyAdd {
 public:
  explicit TinyAdd(const engine::ControlSet& controls) : target_{engine::Device::cpu, 1, &controls} {
    prepared_ = prepare();
    if (prepared_.workspace > 0) workspace_ = engine::Storage(prepared_.workspace);
    state_ = prepared_.kernel->make_state();
    context_ = {workspace_.data(), state_.get()};
    for (std::int64_t i = 0; i < elements; ++i) {
      in_[0].as<float>()[i] = static_cast<float>(i);
      in_[1].as<float>()[i] = static_cast<float>(10 * i);
    }
  }

  engine::Prepared prepare() const { return engine::prepare({engine::Op::add, {}}, inputs_, outputs_, target_); }
  void run() { prepared_.kernel->run(in_, out_, context_); }
  const std::string& kernel() const { return prepared_.info.name; }

  double error() const {
    double worst = 0;
    for (std::int64_t i = 0; i < elements; ++i)
      worst = std::max(worst, std::fabs(out_[0].as<float>()[i] - 11.0 * static_cast<double>(i)));
    return worst;
  }

 private:
  const engine::TensorType type_{engine::DType::float32, {elements}, {}};
  const std::array<engine::TensorType, 2> inputs_{type_, type_};
  const std::array<engine::TensorType, 1> outputs_{type_};
  engine::Target target_;
  engine::Prepared prepared_;
  engine::Storage left_{64}, right_{64}, sum_{64}, workspace_;
  std::array<engine::View, 2> in_{engine::View{left_.data(), &type_}, engine::View{right_.data(), &type_}};
  std::array<engine::View, 1> out_{engine::View{sum_.data(), &type_}};
  std::unique_ptr<engine::KernelState> state_;
  engine::Context context_;
};

double largest_error(const engine::Tensor& sum) {
  double worst = 0;
  for (std::int64_t i = 0; i < elements; ++i)
    worst = std::max(worst, std::fabs(sum.as<float>()[static_cast<std::size_t>(i)] - 11.0 * static_cast<double>(i)));
  return worst;
}

/// The same addition as an operation on tensors, and as a recorded function of one such operation.
void report_calls(const engine::ControlSet& controls, harness::Reporter& report) {
  const engine::SettingsScope scope({1, controls, nullptr});
  std::vector<float> ones, tens;
  for (std::int64_t i = 0; i < elements; ++i) {
    ones.push_back(static_cast<float>(i));
    tens.push_back(static_cast<float>(10 * i));
  }
  const auto a = engine::Tensor::from<float>({elements}, ones), b = engine::Tensor::from<float>({elements}, tens);
  if (!report.check("eager_error", largest_error(a + b), 0)) return;
  report.time("eager_call", calls(20000), [&] { a + b; });

  engine::TracedFunction traced("add", [](std::span<const engine::Tensor> in) { return std::vector{in[0] + in[1]}; });
  if (!report.check("traced_error", largest_error(traced({a, b})[0]), 0)) return;
  report.time("traced_call", calls(20000), [&] { traced({a, b}); });
  report.choose("traced_call",
                {{"traces", traced.traces()},
                 {"replays", traced.replays()},
                 {"reason", traced.traces() == 0 ? "engine.trace is off: each call runs the function" : ""}});
}

void report_fork_join(const harness::Parameters& parameters, harness::Reporter& report) {
  const bool team = parameters.threads > 1 && engine::threads_available();
  report.choose("fork_join", {{"threads", team ? parameters.threads : 1},
                              {"reason", team ? "" : "one thread, or a build without OpenMP: no team to fork"}});
  if (!team) return;
  report.time("fork_join", calls(250), [&] { engine::parallel_parts(parameters.threads, [](int) {}); });
}

}  // namespace

void dispatch(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto controls = engine::ControlSet::without(parameters.off);
  engine::set_team_size(1);
  TinyAdd add(controls);
  add.run();
  report.choose("held_kernel", {{"operation", "add"}, {"elements", elements}, {"kernel", add.kernel()}});
  if (!report.check("add_error", add.error(), 0)) return;
  report.time("held_kernel", calls(200000), [&] { add.run(); });
  report.time("prepare_again", calls(2000), [&] { add.prepare(); });
  report_calls(controls, report);
  report_fork_join(parameters, report);
}

}  // namespace assay::scenarios::machine

// The table of sizes as a plain Google Benchmark program.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string_view>

#include "engine/controls/controls.hpp"
#include "engine/core/threads.hpp"
#include "harness/machine/affinity.hpp"
#include "scenarios/kernels/kernels.hpp"
#include "scenarios/kernels/speed.hpp"

namespace assay::scenarios::kernels {
namespace {

using benchmark::Counter;

constexpr int exit_usage = 2, exit_nothing_measured = 4;

struct Options {
  std::vector<std::string> off;
  int threads = static_cast<int>(harness::allowed_cpus().size());
};

/// Google Benchmark answers another format by its help and success.
void check_formats(std::span<char* const> arguments) {
  for (const std::string_view argument : arguments)
    for (const std::string_view flag : {"--benchmark_format=", "--benchmark_out_format="}) {
      if (!argument.starts_with(flag)) continue;
      const std::string_view format = argument.substr(flag.size());
      if (format != "console" && format != "json" && format != "csv")
        throw std::invalid_argument(std::string(flag) + ": expected console, json or csv, found '" +
                                    std::string(format) + "'");
    }
}

void check_threads(int threads) {
  const auto most = harness::allowed_cpus().size();
  if (threads > static_cast<int>(most))
    throw std::invalid_argument("--threads " + std::to_string(threads) + ": this process may use " +
                                std::to_string(most) + " CPUs");
}

void print_help() {
  std::cout << "usage: assay kernels [--off CONTROL,…] [--threads N] [--benchmark_… flags of Google Benchmark]\n"
               "Every operation of the engine over the sizes of scenarios/kernels/sizes.cpp. Counters: FLOP/s (of an\n"
               "operation that computes) and bytes a second of the loop; roof: rate / min(peak, intensity x "
               "bandwidth), from\n"
               "turns of kernel and roofs after it.\n"
               "Names are OPERATION/SIZE: --benchmark_filter='^matmul/' runs matrix products.\n\n";
  benchmark::PrintDefaultHelp();
}

/// Some controls act by the environment that the process starts with: start again with theirs.
void start_with_environment(const engine::ControlSet& controls, char** argv) {
  bool changed = false;
  for (const auto& row : engine::control_table()) {
    if (row.environment_name.empty()) continue;
    const std::string name{row.environment_name},
        wanted{controls.on(row.control) ? row.environment_on : row.environment_off};
    if (std::getenv(name.c_str()) != nullptr) continue;  // whoever set it knows why; the context says what acts
    changed = setenv(name.c_str(), wanted.c_str(), 1) == 0 || changed;
  }
  if (changed) execv("/proc/self/exe", argv);  // returns only where it failed: go on as things are
}

void describe_context(const engine::ControlSet& controls, const Options& options) {
  benchmark::AddCustomContext("threads", std::to_string(options.threads));
  for (const auto& state : engine::control_states(controls)) {
    if (state.on && state.acts) continue;
    benchmark::AddCustomContext(state.name, state.on ? "cannot act: " + state.reason : "off");
  }
}

std::string label_of(const engine::KernelInfo& info) {
  std::string label = info.name + ", " + std::to_string(info.threads) + (info.threads == 1 ? " thread" : " threads");
  for (const auto& reason : info.fallbacks) label += "; " + reason;
  return label;
}

/// `checked` outlives the call: Google Benchmark calls several times to find its count of iterations.
void run_size(benchmark::State& state, const Size& size, int threads, const engine::ControlSet& controls,
              bool& checked) {
  try {
    HeldKernel kernel(size, threads, controls);
    if (const double error = checked ? 0 : kernel.error(); !(error <= error_limit)) {
      state.SkipWithError(("differs from the reference kernel by " + std::to_string(error)).c_str());
      return;
    }
    checked = true;
    for ([[maybe_unused]] auto _ : state) kernel.run();
    state.SetBytesProcessed(static_cast<std::int64_t>(kernel.bytes()) * state.iterations());
    const auto turn = measure(kernel, 1)[0];
    const auto speed = speed_of(turn, kernel.flops(), kernel.bytes());
    if (kernel.flops() > 0) {  // a counter of 0 has a coefficient of variation of 0 / 0
      state.counters["FLOP/s"] = Counter(kernel.flops(), Counter::kIsIterationInvariantRate);
      state.counters["peak"] = speed.peak_share;
    }
    state.counters["roof"] = speed.share();
    state.counters["bandwidth"] = speed.bandwidth_share;
    state.SetLabel(label_of(kernel.info()));
  } catch (const engine::Unsupported& reason) {
    state.SkipWithError(reason.what());
  }
}

}  // namespace

int benchmark_main(int argc, char** argv) {
  char** const all = argv;
  std::vector<char*> own(argv, argv + argc);
  own.push_back(nullptr);
  argv = own.data();
  Options options;
  CLI::App app;
  app.set_help_flag();
  app.add_option("--off", options.off)->delimiter(',')->allow_extra_args(false);
  app.add_option("--threads", options.threads)->check(CLI::Range(1, 1024));
  try {
    check_formats({argv, static_cast<std::size_t>(argc)});
    benchmark::Initialize(&argc, argv, print_help);  // takes its flags out
    app.parse(argc, argv);
    check_threads(options.threads);
    const auto controls = engine::ControlSet::without(options.off);
    start_with_environment(controls, all);
    engine::apply_controls(controls, options.threads);
    describe_context(controls, options);
    for (const Size& size : sizes())
      benchmark::RegisterBenchmark(size.name().c_str(), [&size, &options, controls,
                                                         checked = false](benchmark::State& state) mutable {
        run_size(state, size, options.threads, controls, checked);
      })->UseRealTime();
    const std::size_t matched = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return matched > 0 ? 0 : exit_nothing_measured;
  } catch (const CLI::ParseError& error) {
    std::cerr << "assay kernels: " << error.what() << "; --help lists the flags\n";
  } catch (const std::invalid_argument& error) {
    std::cerr << "assay kernels: " << error.what() << "\n";
  }
  return exit_usage;
}

}  // namespace assay::scenarios::kernels

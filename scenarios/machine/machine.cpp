#include "scenarios/machine/machine.hpp"

#include "scenarios/machine/cases.hpp"

namespace assay::scenarios {
namespace {

/// Each configuration a group of its own: nothing is compared, and one that breaks repeats nothing else.
void run_each(harness::Scenario& scenario, const std::vector<std::string>& configurations) {
  for (const auto& configuration : configurations) scenario.group(configuration, {configuration});
}

}  // namespace

harness::Scenario machine_scenario() {
  harness::Scenario s{"machine", "What is this machine, and what limits does it set to everything else?"};

  s.exact("rate", machine::rate)
      .parameter("dtype", {"float32", "float64", "bfloat16", "int8"})
      .parameter("threads", {"1", "all"})
      .metric("rate", "GOP/s", "higher");

  s.exact("peak", machine::peak)
      .parameter("threads", {"1", "all"})
      .metric("clock", "GHz", "")
      .metric("multiply_add_rate", "GFLOP/s", "higher")
      .metric("multiply_add_units", "", "")
      .metric("matmul_share", "", "higher");

  auto& bandwidth = s.exact("bandwidth", machine::bandwidth).parameter("threads", {"1", "all"});
  for (const auto* place : {"l1", "l2", "largest"})
    for (const auto* walk : {"read", "copy", "triad"})
      bandwidth.metric(std::string{place} + "_" + walk, "GB/s", "higher");

  s.exact("dispatch", machine::dispatch)
      .metric("held_kernel", "ns", "lower")
      .metric("prepare_again", "ns", "lower")
      .metric("eager_call", "ns", "lower")
      .metric("traced_call", "ns", "lower")
      .metric("fork_join", "ns", "lower");

  s.exact("process", machine::process).metric("start", "ns", "lower");

  s.exact("numa", machine::numa)
      .metric("local_read", "GB/s", "higher")
      .metric("remote_read", "GB/s", "higher")
      .metric("remote_share", "", "higher");

  s.exact("energy", machine::energy)
      .metric("energy", "J", "lower")
      .metric("power", "W", "")
      .metric("efficiency", "GFLOP/J", "higher");

  run_each(s, {"rate", "rate{threads=all}", "rate{dtype=float64}", "rate{dtype=float64,threads=all}",
               "rate{dtype=bfloat16}", "rate{dtype=bfloat16,threads=all}", "rate{dtype=int8}",
               "rate{dtype=int8,threads=all}", "peak", "peak{threads=all}", "bandwidth", "bandwidth{threads=all}"});
  s.budget("quick", 12).budget("standard", 20).budget("full", 20);
  return s;
}

}  // namespace assay::scenarios

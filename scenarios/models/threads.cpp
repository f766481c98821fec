// Finds how many threads each inference call is worth, once a run, so that all rounds use the same number.
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/exec/choose_threads.hpp"
#include "scenarios/models/load.hpp"
#include "scenarios/models/models.hpp"

namespace assay::scenarios::models {

void threads(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::Model model = load(parameters, "serving");
  const engine::TracedFunction::Function call = [&](std::span<const engine::Tensor> x) {
    return std::vector<engine::Tensor>{model(x[0])};
  };
  nlohmann::json chosen;
  for (const std::string& batch : batches) {
    const engine::Tensor x = calling_rows(parameters, std::stoll(batch));
    const auto times = engine::time_threads(call, {&x, 1}, parameters.threads);
    harness::Axis count{"threads", "", {}}, time{"call_time", "ns", {}};
    for (const engine::ThreadTime& measured : times) {
      count.values.push_back(measured.threads);
      time.values.push_back(measured.nanoseconds);
    }
    report.series("threads at batch " + batch, count, time);
    chosen[batch] = engine::choose_threads(times);
    report.value("threads_at_" + batch, "", "", chosen[batch].get<int>());
  }
  const auto file = parameters.out / "threads.json";
  std::ofstream(file) << chosen.dump() << "\n";
  report.artifact("threads", file, "json");
}

}  // namespace assay::scenarios::models

#include <cmath>

#include "engine/nn/fit.hpp"
#include "engine/nn/safetensors.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {

void metric_average(const harness::Parameters& parameters, harness::Reporter& report) {
  constexpr std::int64_t rows_a_batch = 512;
  const auto test = engine::mnist::load(parameters.data).test.first(parameters.length("test_rows"));
  const engine::Model model = engine::models::mlp({784, 128, 64, 10}, parameters.seed);
  engine::load_weights(parameters.artifact("trained"), model.weights());

  const engine::Tensor x = test.flat();
  engine::Batches batches(x, test.labels, rows_a_batch);
  engine::EvaluateStep step(model);
  engine::Metrics weighted;
  double sum_of_means = 0, right = 0;
  std::vector<double> accuracies, numbers;
  for (std::int64_t i = 0; i < batches.count(); ++i) {
    const auto batch = batches.at(i);
    const auto result = step(batch.x, batch.labels);
    weighted.add(result, batch.rows());
    right += static_cast<double>(result.correct);
    accuracies.push_back(static_cast<double>(result.correct) / static_cast<double>(batch.rows()));
    numbers.push_back(static_cast<double>(i + 1));
    sum_of_means += accuracies.back();
  }
  const double exact = right / static_cast<double>(test.rows());
  const double mean_of_means = sum_of_means / static_cast<double>(batches.count());
  report.check("the metric weighted by rows is the mean", std::abs(weighted.accuracy - exact), 1e-12);
  report.value("accuracy", "", "higher", exact);
  report.value("mean_of_batch_means", "", "higher", mean_of_means);
  report.value("batch_mean_error", "", "lower", std::abs(mean_of_means - exact));
  report.value("last_batch_rows", "", "", static_cast<double>(test.rows() % rows_a_batch));
  report.series("accuracy of each batch", {"batch", "", numbers}, {"accuracy", "", accuracies});
}

}  // namespace assay::scenarios::tracing

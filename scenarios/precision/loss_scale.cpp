// The loss scale over the steps of a mixed float16 training: by the rule as it is, and by one that grows every 3 clean
// steps, so that it runs into the format's end and comes back.
#include "engine/nn/batches.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

struct Course {
  std::vector<double> steps, scales;
  double skipped = 0, last_loss = 0, first_loss = 0;
  Formats formats{};
};

Course train(const harness::Parameters& parameters, const engine::LossScaleSettings& scaling) {
  const auto rows = engine::mnist::load(parameters.data).training.first(parameters.length("rows"));
  engine::Batches batches(rows.scaled(), rows.labels, tracing::batch_rows, true);
  Training training(convnet(parameters.artifact("convnet"), "mixed_float16", parameters.seed), scaling);
  Course course;
  for (std::int64_t i = 0; i < batches.count(); ++i) {
    course.steps.push_back(static_cast<double>(i));
    course.scales.push_back(static_cast<double>(training.loss_scale->scale().value().item<float>()));
    const auto batch = batches.at(i);
    const auto result = training.step(batch.x, batch.labels);
    if (i == 0) course.first_loss = static_cast<double>(result.loss);
    course.last_loss = static_cast<double>(result.loss);
    course.skipped += result.applied ? 0 : 1;
  }
  if (const auto* plan = training.step.traced().plan()) course.formats = formats_of(*plan);
  return course;
}

}  // namespace

void loss_scale(const harness::Parameters& parameters, harness::Reporter& report) {
  const Course usual = train(parameters, {});
  report.series("loss scale", {"step", "", usual.steps}, {"scale", "", usual.scales});
  report.value("skipped_steps", "steps", "", usual.skipped);
  report.choose("formats", usual.formats.shares);
  const Course eager = train(parameters, {.growth_interval = 3, .ceiling = 0x1p60});
  report.series("loss scale, growing every 3 clean steps", {"step", "", eager.steps}, {"scale", "", eager.scales});
  report.value("skipped_steps_growing_fast", "steps", "", eager.skipped);
  for (const auto* course : {&usual, &eager})
    report.check("the loss fell over the epoch", course->last_loss, course->first_loss);
}

}  // namespace assay::scenarios::precision

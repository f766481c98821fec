#include "scenarios/pipeline/protocol.hpp"

#include <algorithm>
#include <cmath>

#include "engine/data/mnist.hpp"

namespace assay::scenarios::pipeline {
namespace {

/// The lines of a text in one line, without their indentation.
std::string joined(const std::string& text, const std::string& between) {
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin), word = text.find_first_not_of(' ', begin);
    line += (line.empty() ? "" : between) + text.substr(word, end - word);
    begin = end + 1;
  }
  return line;
}

}  // namespace

std::vector<std::string> data_controls() {
  std::vector<std::string> names;
  for (const auto& info : engine::control_table()) {
    if (info.name.starts_with("data.")) names.emplace_back(info.name);
  }
  return names;
}

engine::Pipeline first_rows(const harness::Parameters& parameters, std::int64_t rows) {
  const auto set = engine::mnist::load_training(parameters.data).first(rows);
  std::vector<std::uint8_t> pixels(set.pixels.as<float>().size());
  std::ranges::transform(set.pixels.as<float>(), pixels.begin(),
                         [](float pixel) { return static_cast<std::uint8_t>(pixel); });
  return engine::Pipeline::arrays({engine::Tensor::from<std::uint8_t>(set.pixels.shape(), pixels), set.labels});
}

engine::ReadOptions read_options(const harness::Parameters& parameters) {
  return {
      .seed = parameters.seed, .controls = engine::ControlSet::without(parameters.off), .cores = parameters.threads};
}

Epoch read_epoch(engine::Reader& reader) {
  Epoch epoch;
  const std::int64_t begin = engine::clock_ns();
  engine::Element batch;
  while (reader.next(batch)) {
    epoch.rows += batch[0].shape()[0];
    epoch.first += static_cast<double>(batch[0].data()[0]);
    ++epoch.batches;
  }
  epoch.seconds = static_cast<double>(engine::clock_ns() - begin) * 1e-9;
  return epoch;
}

Epoch read_next_epoch(engine::Reader& reader) {
  const std::int64_t begin = engine::clock_ns();
  reader.restart();
  Epoch epoch = read_epoch(reader);
  epoch.seconds = static_cast<double>(engine::clock_ns() - begin) * 1e-9;
  return epoch;
}

std::string in_a_line(const engine::Stage& last) { return joined(engine::to_string(last), " <- "); }

void report_pipeline(harness::Reporter& report, const engine::Pipeline& asked, const engine::Reader& reader) {
  report.choose("pipeline as asked for", in_a_line(*asked.last()));
  report.choose("pipeline as read", in_a_line(*reader.rewrite_result().last));
  std::string tuned;
  for (const auto& one : reader.choices())
    tuned += (tuned.empty() ? "" : "; ") + one.stage + ": " + one.choice + " (" + one.reason + ")";
  report.choose("autotuning", tuned.empty() ? "chose nothing" : tuned);
  report.choose("threads of the pipeline at most", reader.statistics().peak_threads);
  std::string withheld;
  for (const auto& reason : reader.rewrite_result().withheld) withheld += (withheld.empty() ? "" : "; ") + reason;
  if (!withheld.empty()) report.choose("rewrites withheld", withheld);
  const auto epoch = reader.epoch_statistics();
  report.choose("stages of the last epoch", joined(engine::table(epoch), "; "));
  report.choose("bottleneck of the last epoch", engine::bottleneck(epoch));
}

void check_first_epoch(harness::Reporter& report, engine::Reader& reader, const engine::Pipeline& source,
                       const engine::MapFunction& map, std::int64_t rows, std::uint64_t seed) {
  engine::Element batch;
  reader.next(batch);
  engine::Reader raw(source, {.controls = engine::ControlSet::without(data_controls())});
  engine::Element in, out;
  double different = 0;
  for (std::int64_t row = 0; row < batch[0].shape()[0]; ++row) {
    raw.next(in);
    map.call(in, out, {.seed = seed, .epoch = 0, .index = static_cast<std::uint64_t>(row)});
    const auto expected = out[0].as<float>();
    const auto found = batch[0].as<float>().subspan(static_cast<std::size_t>(row) * expected.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) different += found[i] == expected[i] ? 0 : 1;
  }
  report.check("the first batch has the map's values bit for bit", different, 0);
  const std::int64_t first = batch[0].shape()[0];
  const Epoch rest = read_epoch(reader);
  report.check("an epoch has every row", std::abs(static_cast<double>(first + rest.rows - rows)), 0);
}

void busy_step(double ns) {
  const std::int64_t end = engine::clock_ns() + static_cast<std::int64_t>(ns);
  while (engine::clock_ns() < end) {
  }
}

}  // namespace assay::scenarios::pipeline

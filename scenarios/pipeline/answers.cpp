// The map's values without noise: what peers compare themselves with, checked against sums in float64.
#include <algorithm>
#include <cmath>

#include "engine/nn/safetensors.hpp"
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

/// Average pooling by its definition.
std::vector<double> pooled(const std::vector<double>& from) {
  std::vector<double> to(from.size());
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      double sum = 0, count = 0;
      for (std::int64_t v = std::max<std::int64_t>(0, y - 1); v <= std::min(side - 1, y + 1); ++v) {
        for (std::int64_t u = std::max<std::int64_t>(0, x - 1); u <= std::min(side - 1, x + 1); ++u, ++count)
          sum += from[static_cast<std::size_t>(v * side + u)];
      }
      to[static_cast<std::size_t>(y * side + x)] = sum / count;
    }
  }
  return to;
}

}  // namespace

void answers(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::Pipeline source = first_rows(parameters, batch_rows);
  engine::Reader raw(source, read_options(parameters)),
      mapped(source.map(published_map(Form::image, false)).batch(batch_rows), read_options(parameters));
  engine::Element row, batch;
  mapped.next(batch);
  const engine::Tensor values = batch[0].release();
  double worst = 0;
  for (std::size_t i = 0; raw.next(row); ++i) {
    std::vector<double> exact;
    for (const std::uint8_t pixel : row[0].as<std::uint8_t>()) exact.push_back(pixel / 255.0);
    for (int pass = 0; pass < 4; ++pass) exact = pooled(exact);
    for (std::size_t p = 0; p < exact.size(); ++p)
      worst = std::max(worst, std::abs(exact[p] - static_cast<double>(values.as<float>()[i * pixels_a_row + p])));
  }
  report.check("mapped values equal the definition in float64", worst, 1e-6);
  const auto file = parameters.out / "mapped.safetensors";
  engine::save_weights(file, std::vector<engine::Variable>{{"mapped", values}});
  report.artifact("mapped", file, "safetensors");
}

}  // namespace assay::scenarios::pipeline

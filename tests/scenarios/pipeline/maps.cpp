#include "scenarios/pipeline/maps.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "engine/data/reader.hpp"
#include "tests/catch.hpp"

using namespace assay;
using namespace assay::scenarios::pipeline;

namespace {

using Image = std::array<float, pixels_a_row>;

engine::Pipeline rows_of_pixels(std::int64_t rows) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(rows) * pixels_a_row);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 7 % 251);
  std::vector<std::int32_t> labels(static_cast<std::size_t>(rows));
  std::iota(labels.begin(), labels.end(), 0);
  return engine::Pipeline::arrays({engine::Tensor::from<std::uint8_t>(engine::Shape{rows, side, side, 1}, pixels),
                                   engine::Tensor::from<std::int32_t>(engine::Shape{rows}, labels)});
}

std::vector<float> values(const engine::Pipeline& pipeline, std::vector<std::int32_t>* labels = nullptr) {
  engine::Reader reader(pipeline, {.seed = 5, .cores = 2});
  engine::Element element;
  std::vector<float> result;
  while (reader.next(element)) {
    const auto pixels = element[0].as<float>();
    result.insert(result.end(), pixels.begin(), pixels.end());
    if (labels == nullptr) continue;
    const auto some = element[1].as<std::int32_t>();
    labels->insert(labels->end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace

TEST_CASE("average pooling leaves a constant as it is, at the borders too") {
  Image from, to;
  from.fill(0.75F);
  average_pool(from, to);
  for (const float value : to) CHECK(value == Approx(0.75F));
}

TEST_CASE("average pooling spreads one pixel over its neighbours, more of it where there are fewer") {
  Image from{}, to;
  from[10 * side + 10] = 9;
  average_pool(from, to);
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x)
      CHECK(to[y * side + x] == Approx(y >= 9 && y <= 11 && x >= 9 && x <= 11 ? 1.0F : 0.0F));
  }
  from.fill(0);
  from[0] = 12;
  average_pool(from, to);
  CHECK(to[0] == Approx(3.0F));     // of 4
  CHECK(to[1] == Approx(2.0F));     // of 6
  CHECK(to[side] == Approx(2.0F));  // of 6
  CHECK(to[side + 1] == Approx(12.0F / 9));
  from.fill(0);
  from[pixels_a_row - 1] = 12;
  average_pool(from, to);
  CHECK(to[pixels_a_row - 1] == Approx(3.0F));
  CHECK(to[pixels_a_row - 2] == Approx(2.0F));
}

TEST_CASE("the published map's noise has its mean and deviation, and labels pass") {
  constexpr std::int64_t rows = 50;
  std::vector<std::int32_t> labels;
  const auto clean = values(rows_of_pixels(rows).map(published_map(Form::image, false)));
  const auto noisy = values(rows_of_pixels(rows).map(published_map()), &labels);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const double noise = static_cast<double>(noisy[i] - clean[i]);
    sum += noise;
    squares += noise * noise;
  }
  // 39,200 values: the mean's deviation is 0.01 / 198, that of the deviation 0.01 / 280.
  const auto n = static_cast<double>(clean.size());
  CHECK(std::abs(sum / n) < 5 * 0.01 / 198);
  CHECK(std::sqrt(squares / n) == Approx(0.01).epsilon(5.0 / 280));
  CHECK(labels.size() == rows);
  CHECK(labels[17] == 17);
}

TEST_CASE("maps on batches give what they give row by row") {
  const auto source = rows_of_pixels(10);
  CHECK(values(source.map(published_map()).batch(4)) == values(source.batch(4).map(published_map_on_batches(4))));
  CHECK(values(source.map(scaling_map()).batch(4)) == values(source.batch(4).map(scaling_map_on_batches())));
  CHECK(values(source.map(scaling_map()))[3] == Approx(21.0 / 255));
}

TEST_CASE("a costly map does as many poolings as its name says") {
  const auto map = costly_map(20000);
  const int passes = std::stoi(map.name);
  CHECK(passes > 0);
  CHECK(std::stoi(costly_map(0).name) == 0);
  auto pooled = values(rows_of_pixels(1).map(scaling_map()));
  for (int pass = 0; pass < passes; ++pass) {
    const auto before = pooled;
    average_pool(std::span<const float, pixels_a_row>(before.data(), pixels_a_row),
                 std::span<float, pixels_a_row>(pooled.data(), pixels_a_row));
  }
  CHECK(values(rows_of_pixels(1).map(map)) == pooled);
}

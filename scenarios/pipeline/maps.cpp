#include "scenarios/pipeline/maps.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "engine/core/random.hpp"

namespace assay::scenarios::pipeline {
namespace {

using Image = std::array<float, pixels_a_row>;

void scale(const std::uint8_t* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]) * (1.0F / 255.0F);
}

void pass_label(const engine::Element& in, engine::Element& out) {
  std::ranges::copy(in[1].as<std::int32_t>(), out[1].place<std::int32_t>(in[1].shape()).begin());
}

/// One row of the published map.
void work_on_row(const std::uint8_t* pixels, float* to, std::uint64_t seed, std::uint64_t row, bool noise) {
  Image a, b;
  scale(pixels, a.data(), a.size());
  average_pool(a, b);
  average_pool(b, a);
  average_pool(a, b);
  const std::span<float, pixels_a_row> out(to, pixels_a_row);
  average_pool(b, out);
  if (!noise) return;
  engine::fill_normal(a, seed, row, 0.0F, 0.01F);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] += a[i];
}

/// The shortest of several timings of one average pooling, ns.
double pooling_time() {
  Image a{}, b{};
  double best = 1e9;
  for (int attempt = 0; attempt < 20; ++attempt) {
    constexpr int calls = 50;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls / 2; ++i) {
      average_pool(a, b);
      average_pool(b, a);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

}  // namespace

void average_pool(std::span<const float, pixels_a_row> from, std::span<float, pixels_a_row> to) {
  constexpr std::size_t n = side;
  // Sums of three rows, with a zero at either end, then sums of three of these: no branch inside a loop. Aligned so
  // that the sums never cross a page. Where the stack's random address put them across one, in one process out of
  // thirty, loading what was just stored made a pooling 3 times slower.
  alignas(128) std::array<float, n + 2> sums{};
  for (std::size_t y = 0; y < n; ++y) {
    const float* const row = from.data() + y * n;
    for (std::size_t x = 0; x < n; ++x) sums[x + 1] = row[x];
    if (y > 0) {
      for (std::size_t x = 0; x < n; ++x) sums[x + 1] += row[x - n];
    }
    if (y + 1 < n) {
      for (std::size_t x = 0; x < n; ++x) sums[x + 1] += row[x + n];
    }
    const float rows = y == 0 || y + 1 == n ? 2.0F : 3.0F;
    float* const out = to.data() + y * n;
    for (std::size_t x = 0; x < n; ++x) out[x] = (sums[x] + sums[x + 1] + sums[x + 2]) * (1.0F / (3.0F * rows));
    out[0] = (sums[1] + sums[2]) * (1.0F / (2.0F * rows));
    out[n - 1] = (sums[n - 1] + sums[n]) * (1.0F / (2.0F * rows));
  }
}

engine::MapFunction published_map(Form form, bool noise) {
  const engine::Shape shape = form == Form::flat ? engine::Shape{pixels_a_row} : engine::Shape{side, side, 1};
  return {.name = noise ? "four average poolings and noise" : "four average poolings",
          .call = [shape, noise](const engine::Element& in, engine::Element& out, const engine::MapCall& call) {
            out.resize(2);
            work_on_row(in[0].as<std::uint8_t>().data(), out[0].place<float>(shape).data(), call.random_seed(),
                        call.index, noise);
            pass_label(in, out);
          }};
}

engine::MapFunction published_map_on_batches(std::int64_t rows) {
  return {.name = "four average poolings and noise on a batch",
          .call = [rows](const engine::Element& in, engine::Element& out, const engine::MapCall& call) {
            out.resize(2);
            const auto from = in[0].as<std::uint8_t>();
            const auto to = out[0].place<float>(in[0].shape());
            const auto first = call.index * static_cast<std::uint64_t>(rows);
            for (std::size_t at = 0; at < from.size(); at += pixels_a_row)
              work_on_row(from.data() + at, to.data() + at, call.random_seed(), first + at / pixels_a_row, true);
            pass_label(in, out);
          }};
}

engine::MapFunction scaling_map() {
  return {.name = "/ 255", .call = [](const engine::Element& in, engine::Element& out, const engine::MapCall&) {
            out.resize(2);
            const auto from = in[0].as<std::uint8_t>();
            scale(from.data(), out[0].place<float>(in[0].shape()).data(), from.size());
            pass_label(in, out);
          }};
}

engine::MapFunction scaling_map_on_batches() {
  auto map = scaling_map();  // takes any shape
  map.name = "/ 255 on a batch";
  return map;
}

engine::MapFunction costly_map(double cost_ns) {
  const auto passes = static_cast<std::size_t>(std::max(0.0, std::round(cost_ns / pooling_time())));
  return {.name = std::to_string(passes) + " average poolings",
          .call = [passes](const engine::Element& in, engine::Element& out, const engine::MapCall&) {
            out.resize(2);
            std::array<Image, 2> images;
            scale(in[0].as<std::uint8_t>().data(), images[0].data(), pixels_a_row);
            for (std::size_t pass = 0; pass < passes; ++pass) average_pool(images[pass % 2], images[1 - pass % 2]);
            std::ranges::copy(images[passes % 2], out[0].place<float>(in[0].shape()).begin());
            pass_label(in, out);
          }};
}

}  // namespace assay::scenarios::pipeline

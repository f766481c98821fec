#include "engine/data/mnist.hpp"

#include <algorithm>

#include "engine/data/data_error.hpp"
#include "engine/data/idx.hpp"

namespace assay::engine::mnist {
namespace {

constexpr int classes = 10;
constexpr std::int64_t side = 28;

Set load_set(const std::filesystem::path& folder, const std::string& prefix) {
  const auto images_file = find_file(folder, prefix + "-images-idx3-ubyte"),
             labels_file = find_file(folder, prefix + "-labels-idx1-ubyte");
  const IdxImages images = read_idx_images(images_file);
  const auto labels = read_idx_labels(labels_file, classes);
  if (images.height != side || images.width != side) {
    throw DataError(images_file.string() + ": expected images of 28x28, found " + std::to_string(images.height) + "x" +
                    std::to_string(images.width));
  }
  if (images.count != static_cast<std::int64_t>(labels.size())) {
    throw DataError(labels_file.string() + ": expected " + std::to_string(images.count) +
                    " labels, one for each image of " + images_file.filename().string() + ", found " +
                    std::to_string(labels.size()));
  }
  Set set{Tensor::empty({DType::float32, Shape{images.count, side, side, 1}, {}}),
          Tensor::empty({DType::int32, Shape{images.count}, {}})};
  std::ranges::copy(images.pixels, set.pixels.as<float>().begin());
  std::ranges::copy(labels, set.labels.as<std::int32_t>().begin());
  return set;
}

Tensor divided(const Tensor& pixels, const Shape& shape) {
  Tensor result = Tensor::empty({DType::float32, shape, {}});
  std::ranges::transform(pixels.as<float>(), result.as<float>().begin(), [](float pixel) { return pixel / 255.0F; });
  return result;
}

}  // namespace

Set Set::first(std::int64_t count) const {
  if (count > rows())
    throw DataError("expected at least " + std::to_string(count) + " rows of data, found " + std::to_string(rows()));
  return {pixels.rows(0, count), labels.rows(0, count)};
}

Tensor Set::flat() const { return divided(pixels, Shape{rows(), side * side}); }
Tensor Set::scaled() const { return divided(pixels, pixels.shape()); }

std::filesystem::path find_file(const std::filesystem::path& folder, const std::string& name) {
  for (const std::string& form : {name + ".gz", name}) {
    if (std::filesystem::exists(folder / form)) return folder / form;
  }
  throw DataError((folder / name).string() + ": expected this file, or " + name + ".gz beside it, found neither");
}

Data load(const std::filesystem::path& folder) { return {load_training(folder), load_set(folder, "t10k")}; }

Set load_training(const std::filesystem::path& folder) { return load_set(folder, "train"); }

}  // namespace assay::engine::mnist

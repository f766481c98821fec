#pragma once
#include <filesystem>
#include <string>

#include "engine/core/tensor.hpp"

namespace assay::engine::mnist {

/// Digits: pixels [rows, 28, 28, 1] as float32 0 to 255, labels int32 [rows].
struct Set {
  Tensor pixels, labels;

  std::int64_t rows() const { return labels.shape()[0]; }
  /// The first `count` rows. Throws DataError where there are fewer.
  Set first(std::int64_t count) const;
  /// Pixels / 255, images flattened: what a dense model takes, [rows, 784].
  Tensor flat() const;
  /// Pixels / 255, [rows, 28, 28, 1].
  Tensor scaled() const;
};

struct Data {
  Set training, test;
};

/// A file of MNIST, such as "train-images-idx3-ubyte": the one with .gz at its end where both are there. Throws
/// DataError where there is neither.
std::filesystem::path find_file(const std::filesystem::path& folder, const std::string& name);

/// Reads the four files of a folder (train- and t10k-, images-idx3-ubyte and labels-idx1-ubyte, with or without .gz at
/// the end, gzipped or plain) in original order. Throws DataError.
Data load(const std::filesystem::path& folder);
/// The training files alone.
Set load_training(const std::filesystem::path& folder);

}  // namespace assay::engine::mnist

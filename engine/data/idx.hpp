#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace assay::engine {

/// Unsigned bytes of an IDX file, plain or gzipped: the format of MNIST.
struct IdxImages {
  std::int64_t count = 0, height = 0, width = 0;
  std::vector<std::uint8_t> pixels;  // count x height x width
};

/// Magic 2051 (unsigned bytes, three dimensions). Throws DataError where anything differs from what the header says.
IdxImages read_idx_images(const std::filesystem::path& file);
/// Magic 2049; every label below `classes`.
std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& file, int classes);

}  // namespace assay::engine

#include "engine/data/idx.hpp"

#include <string>

#include "engine/data/data_error.hpp"
#include "engine/data/maybe_gzipped.hpp"

namespace assay::engine {
namespace {

/// Header words are big-endian.
std::uint32_t word(const std::vector<std::uint8_t>& bytes, std::size_t index) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[4 * index + i];
  return value;
}

/// The file's bytes, once magic and length are what `dimensions` header words ask for.
std::vector<std::uint8_t> checked(const std::filesystem::path& file, std::uint32_t magic, std::size_t dimensions) {
  auto bytes = read_maybe_gzipped(file);
  const std::size_t header = 4 * (1 + dimensions);
  const auto fail = [&file](const std::string& expected, const std::string& found) {
    throw DataError(file.string() + ": expected " + expected + ", found " + found);
  };
  if (bytes.size() < header)
    fail("an IDX header of " + std::to_string(header) + " bytes", std::to_string(bytes.size()) + " bytes in all");
  if (word(bytes, 0) != magic) {
    fail("an IDX file, plain or gzipped, with the magic number " + std::to_string(magic),
         std::to_string(word(bytes, 0)));
  }
  std::uint64_t size = 1;
  bool overflow = false;
  std::string text;
  for (std::size_t i = 1; i <= dimensions; ++i) {
    overflow = __builtin_mul_overflow(size, std::uint64_t{word(bytes, i)}, &size) || overflow;
    text += (i > 1 ? "x" : "") + std::to_string(word(bytes, i));
  }
  const std::size_t found = bytes.size() - header;
  if (overflow || size != found) {
    fail((overflow ? "far more" : std::to_string(size)) + " bytes of data (the header says " + text + ")",
         std::to_string(found));
  }
  return bytes;
}

}  // namespace

IdxImages read_idx_images(const std::filesystem::path& file) {
  auto bytes = checked(file, 2051, 3);
  IdxImages images{word(bytes, 1), word(bytes, 2), word(bytes, 3), {}};
  images.pixels.assign(bytes.begin() + 16, bytes.end());
  return images;
}

std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& file, int classes) {
  auto bytes = checked(file, 2049, 1);
  std::vector<std::uint8_t> labels(bytes.begin() + 8, bytes.end());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= classes) {
      throw DataError(file.string() + ": expected labels from 0 to " + std::to_string(classes - 1) + ", found " +
                      std::to_string(labels[i]) + " at row " + std::to_string(i));
    }
  }
  return labels;
}

}  // namespace assay::engine

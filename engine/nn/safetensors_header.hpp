#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine::safetensors {

/// The format's own limit.
constexpr std::uint64_t max_header_bytes = 100'000'000;

/// A header that the format does not allow: what was expected and what was found.
class HeaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An element type of the format.
struct ElementType {
  std::string_view name;
  unsigned bits;
};
/// All element types in the order of the reference implementation, by rising alignment. Files are laid out from the
/// last to the first, so that every tensor is aligned.
const std::vector<ElementType>& element_types();

/// One tensor, as the header describes it. Offsets count from the end of the header.
struct Entry {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

/// The tensors of a file by name. `values_bytes` is the size of what follows the header. Throws HeaderError unless the
/// header is JSON of the format's structure without duplicate keys, and the tensors cover the values without a gap, an
/// overlap or a rest. Deep JSON takes no stack, and skipped values no memory.
std::map<std::string, Entry> parse_header(std::string_view text, std::uint64_t values_bytes);

/// "F32 [2,3]".
std::string to_string(std::string_view dtype, const std::vector<std::uint64_t>& shape);

}  // namespace assay::engine::safetensors

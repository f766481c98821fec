#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace assay::harness {

/// Characters that a UTF-8 text shows: its code points. Claims hold no wide or combining ones.
std::size_t shown_width(const std::string& text);

/// The text in lines of at most `width` characters, broken at spaces; a longer word is broken where it must be.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// The text, filled with spaces up to `width`.
std::string padded(const std::string& text, std::size_t width);

}  // namespace assay::harness

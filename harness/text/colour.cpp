#include "harness/text/colour.hpp"

#include <array>

namespace assay::harness {

std::string coloured(const std::string& text, Colour colour, bool on) {
  static constexpr std::array<const char*, 6> codes{"0", "31", "32", "33", "36", "1"};
  if (!on || colour == Colour::none) return text;
  return std::string("\x1b[") + codes[static_cast<std::size_t>(colour)] + "m" + text + "\x1b[0m";
}

}  // namespace assay::harness

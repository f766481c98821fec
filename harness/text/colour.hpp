#pragma once
#include <string>

namespace assay::harness {

/// Colours of a terminal. They repeat what a word says, so that nothing is lost without them.
enum class Colour { none, red, green, yellow, cyan, bold };

/// The text in a colour, or as it is where `on` is false.
std::string coloured(const std::string& text, Colour colour, bool on);

}  // namespace assay::harness

#pragma once
#include <cstdio>
#include <string>

namespace assay::harness {

/// An exact number as people write it: 12, not 12.0; 0.1, not 0.10000000000000001.
inline std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

}  // namespace assay::harness

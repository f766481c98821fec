// Which magnitudes survive a narrow format, as they are and scaled.
#include <cmath>

#include "engine/core/convert.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

constexpr float published_scale = 1024;
const std::vector<double> magnitudes{1e-1, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};

/// What comes back of a value that was multiplied, rounded to the format and divided again.
template <class Format>
double kept(double value, float scale) {
  return static_cast<double>(engine::to_float(engine::convert<Format>(static_cast<float>(value) * scale)) / scale);
}

/// Where a format lets go: the smallest float32 that does not become 0, found by halving an interval of float32 codes.
template <class Format>
double smallest_surviving(float scale) {
  std::uint32_t zero = 0, alive = std::bit_cast<std::uint32_t>(1.0F);
  while (alive - zero > 1) {
    const std::uint32_t middle = zero + (alive - zero) / 2;
    const float scaled = std::bit_cast<float>(middle) * scale;
    (engine::to_float(engine::convert<Format>(scaled)) != 0 ? alive : zero) = middle;
  }
  return static_cast<double>(std::bit_cast<float>(alive));
}

template <class Format>
void sweep(harness::Reporter& report, const std::string& name) {
  for (const float scale : {1.0F, published_scale}) {
    std::vector<double> values;
    for (const double magnitude : magnitudes) values.push_back(kept<Format>(magnitude, scale));
    report.series(name + (scale == 1 ? " plain" : " scaled by 1024"), {"magnitude", "", magnitudes},
                  {"what is left", "", values});
  }
}

}  // namespace

void underflow(const harness::Parameters&, harness::Reporter& report) {
  sweep<engine::Float16>(report, "float16");
  sweep<engine::BFloat16>(report, "bfloat16");
  sweep<engine::Float8E5M2>(report, "float8_e5m2");
  const double plain = smallest_surviving<engine::Float16>(1);
  const double scaled = smallest_surviving<engine::Float16>(published_scale);
  report.value("smallest_surviving", "", "lower", plain);
  report.value("smallest_surviving_scaled", "", "lower", scaled);
  report.value("decades_brought_back", "decades", "higher", std::log10(plain / scaled));
  // Half of the smallest subnormal, 2^-24, is a tie that goes to zero; the next float32 goes up.
  const auto next_of_half = static_cast<double>(std::nextafter(0x1p-25F, 1.0F));
  report.check("float16 lets go at half of 2^-24", std::abs(plain / next_of_half - 1), 0);
  report.check("a scale of 1,024 moves that by 2^10", std::abs(plain / scaled - 1024), 0);
}

}  // namespace assay::scenarios::precision

#include "harness/gate/duration.hpp"

#include <cstdlib>
#include <map>

#include "harness/errors/errors.hpp"

namespace assay::harness {

double parse_duration(const std::string& text) {
  static const std::map<std::string, double> units{{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
  constexpr double longest = 24 * 3600;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const auto unit = units.find(end);
  const double seconds = unit == units.end() || end == text.c_str() ? 0 : number * unit->second;
  if (!(seconds > 0 && seconds <= longest))
    throw UsageError("'" + text + "': expected a time such as 90s, 10m or 1h, above 0 and at most 24h");
  return seconds;
}

}  // namespace assay::harness

#include "harness/claims/figure.hpp"

#include <algorithm>

namespace assay::harness {

namespace {

using nlohmann::json;

constexpr double reproduced_factor = 1.5;

struct Figure {
  std::string kind;
  double number = 0;
};

std::optional<Figure> published_figure(const json& claim) {
  for (const char* kind : {"ratio", "difference", "value"})
    if (claim.at("published").contains(kind)) return Figure{kind, claim.at("published").at(kind)};
  return std::nullopt;
}

// A source that says "differs by 0.0010" gives no sign: then size is compared with size.
bool is_absolute(const json& claim) { return claim.at("holds").value("absolute", false); }

}  // namespace

std::optional<Bounds> reproduced_bounds(const json& claim) {
  const std::string where = "claim " + claim.at("id").get<std::string>() + ", reproduced";
  if (!claim.at("reproduced").is_null()) return read_bounds(claim.at("reproduced"), where);
  const auto figure = published_figure(claim);
  if (!figure) return std::nullopt;
  const double a = figure->number / reproduced_factor, b = figure->number * reproduced_factor;
  return Bounds{figure->kind, std::min(a, b), std::max(a, b), is_absolute(claim)};
}

std::string figure_verdict(const json& claim, Range measured) {
  const auto figure = published_figure(claim);
  if (!figure) return "not testable";
  const auto bounds = reproduced_bounds(claim);
  if (place(*bounds, measured) == Place::inside) return "reproduced";
  const double neutral = figure->kind == "ratio" ? 1 : 0;
  const Range seen = bounds->absolute ? absolute(measured) : measured;
  const bool above = seen.low > neutral, below = seen.high < neutral;
  if (figure->number == neutral || (!above && !below)) return "undecided";
  return above == (figure->number > neutral) ? "same direction" : "opposite";
}

std::string advice_verdict(const json& claim, Range measured) {
  const Bounds bounds = read_bounds(claim.at("holds"), "claim " + claim.at("id").get<std::string>() + ", holds");
  const Place where = place(bounds, measured);
  return where == Place::inside ? "holds" : where == Place::outside ? "fails" : "undecided";
}

}  // namespace assay::harness

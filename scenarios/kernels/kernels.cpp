#include "scenarios/kernels/kernels.hpp"

namespace assay::scenarios {

harness::Scenario kernels_scenario() {
  using kernels::Family;
  harness::Scenario s{"kernels",
                      "How fast is every operation of the engine, and how far from what this machine can do?"};
  for (std::size_t i = 0; i < kernels::family_count; ++i) {
    const auto family = static_cast<Family>(i);
    const std::string name{kernels::name(family)};
    auto& one = s.exact(name, [family](const harness::Parameters& parameters, harness::Reporter& report) {
      kernels::report_family(family, parameters, report);
    });
    one.metric("median_share", "", "higher").exact_metric("sizes", "", "").exact_metric("declined", "", "lower");
    s.group(name, {name});
    // the families for which oneDNN has kernels; the others run on Eigen anyway
    if (family != Family::product && family != Family::convolution) continue;
    one.parameter("onednn", {"on", "off"}).stands_for("onednn", "off", {.off = {"engine.onednn"}, .environment = {}});
    s.group(name + "_without_onednn", {name + "{onednn=off}"});
  }
  s.budget("quick", 25).budget("standard", 40).budget("full", 40);
  return s;
}

}  // namespace assay::scenarios

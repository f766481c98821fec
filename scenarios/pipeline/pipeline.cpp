#include "scenarios/pipeline/pipeline.hpp"

#include <array>
#include <utility>

#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios {
namespace {

harness::StandsFor every_rewrite_off() { return {.off = pipeline::data_controls(), .environment = {}}; }

void declare_cases(harness::Scenario& s) {
  s.exact("answers", pipeline::answers);
  s.timed("epoch", pipeline::epoch)
      .parameter("options", {"map", "parallel", "prefetch", "cache"})
      .parameter("rewrites", {"on", "off"})
      .stands_for("rewrites", "off", every_rewrite_off())
      .metric("epoch_time", "ns", "lower");
  s.timed("supplied", pipeline::supplied)
      .metric("supplied_share", "", "")
      .metric("speed_up_by_rewrites", "", "higher")
      .metric("speed_up_in_all", "", "higher");
  s.timed("sweep", pipeline::sweep)
      .parameter("batch", {"64", "16", "32", "128", "256"})
      .parameter("calls", {"automatic", "1", "2", "4", "8"})
      .parameter("depth", {"automatic", "1", "2", "8"})
      .stands_for("calls", "1", {.off = {"data.parallelize_map"}, .environment = {}})
      .metric("row_time", "ns", "lower");
  s.timed("starve", pipeline::starve)
      .parameter("map", {"published", "tensorflow"})
      .parameter("prefetch", {"off", "on"})
      .parameter("rewrites", {"off", "on"})
      .stands_for("rewrites", "off", every_rewrite_off())
      .metric("waiting_share", "", "lower");
  s.exact("crossover", pipeline::crossover)
      .metric("prefetch_pays_from", "ns", "")
      .metric("prefetch_pays_until", "ns", "")
      .metric("parallel_map_pays_from", "ns", "");
  s.timed("vectorized", pipeline::vectorized)
      .parameter("map", {"published", "scaling"})
      .parameter("way", {"rows", "batches"})
      .parameter("rewrites", {"on", "off"})
      .stands_for("rewrites", "off", every_rewrite_off())
      .metric("row_time", "ns", "lower");
  s.timed("noop", pipeline::noop)
      .parameter("rewrites", {"on", "off"})
      .stands_for("rewrites", "off", every_rewrite_off())
      .metric("element_time", "ns", "lower");
  s.timed("stragglers", pipeline::stragglers)
      .parameter("order", {"kept", "free"})
      .metric("epoch_time", "ns", "lower")
      .metric("effective_parallelism", "", "higher");
  s.exact("first", pipeline::first)
      .metric("first_batch_time", "ns", "lower")
      .metric("first_epoch_time", "ns", "lower")
      .metric("steady_epoch_time", "ns", "lower");
  s.exact("cached", pipeline::cached)
      .metric("filling_pass_time", "ns", "lower")
      .metric("cached_pass_time", "ns", "lower")
      .metric("cached_bandwidth", "B/s", "higher")
      .metric("copy_bandwidth", "B/s", "higher")
      .metric("share_of_copy_bandwidth", "", "higher");
  s.timed("train", pipeline::train)
      .parameter("feed", {"memory", "map", "prefetch", "cache"})
      .parameter("rewrites", {"on", "off"})
      .stands_for("rewrites", "off", every_rewrite_off())
      .metric("epoch_time", "ns", "lower");
}

void declare_groups(harness::Scenario& s) {
  s.group("epoch", {"epoch", "epoch{options=parallel}", "epoch{options=prefetch}", "epoch{options=cache}",
                    "epoch{rewrites=off}", "epoch{options=parallel,rewrites=off}",
                    "epoch{options=prefetch,rewrites=off}", "epoch{options=cache,rewrites=off}"});
  s.group("supplied", {"supplied"});
  s.group("sweep", {"sweep", "sweep{batch=16}", "sweep{batch=32}", "sweep{batch=128}", "sweep{batch=256}",
                    "sweep{calls=1}", "sweep{calls=2}", "sweep{calls=4}", "sweep{calls=8}", "sweep{calls=2,depth=1}",
                    "sweep{calls=2,depth=2}", "sweep{calls=2,depth=8}"});
  s.group("starve", {"starve", "starve{prefetch=on}", "starve{map=tensorflow}", "starve{map=tensorflow,prefetch=on}",
                     "starve{map=tensorflow,rewrites=on}"});
  s.group("vectorized",
          {"vectorized", "vectorized{way=batches}", "vectorized{map=scaling}", "vectorized{map=scaling,way=batches}",
           "vectorized{map=scaling,rewrites=off}", "vectorized{map=scaling,way=batches,rewrites=off}"});
  s.group("noop", {"noop", "noop{rewrites=off}"});
  s.group("stragglers", {"stragglers", "stragglers{order=free}"});
  s.group("train",
          {"train", "train{feed=map,rewrites=off}", "train{feed=map}", "train{feed=prefetch}", "train{feed=cache}"});
}

/// "calls=2,depth=1" as a part of an id.
std::string in_an_id(std::string values) {
  for (char& c : values) c = c == '=' || c == ',' ? '_' : c;
  return values;
}

void compare(harness::Scenario& s, const std::string& id, const std::string& metric, const std::string& baseline,
             const std::string& candidate) {
  s.compare({.id = id, .metric = metric, .baseline = baseline, .candidate = candidate});
}

void declare_comparisons(harness::Scenario& s) {
  compare(s, "rewrites_alone", "epoch_time", "epoch{rewrites=off}", "epoch");
  compare(s, "parallel_in_all", "epoch_time", "epoch{rewrites=off}", "epoch{options=parallel}");
  compare(s, "parallel_map", "epoch_time", "epoch", "epoch{options=parallel}");
  compare(s, "parallel_without_rewrites", "epoch_time", "epoch{rewrites=off}", "epoch{options=parallel,rewrites=off}");
  compare(s, "prefetch_alone", "epoch_time", "epoch{options=parallel}", "epoch{options=prefetch}");
  compare(s, "cache", "epoch_time", "epoch{rewrites=off}", "epoch{options=cache}");
  compare(s, "cache_alone", "epoch_time", "epoch{options=prefetch}", "epoch{options=cache}");
  for (const char* other :
       {"calls=1", "calls=2", "calls=4", "calls=8", "calls=2,depth=1", "calls=2,depth=2", "calls=2,depth=8"})
    compare(s, "autotuned_against_" + in_an_id(other), "row_time", std::string("sweep{") + other + "}", "sweep");
  for (const auto& [size, candidate] : {std::pair{"32", "sweep{batch=32}"}, std::pair{"64", "sweep"},
                                        std::pair{"128", "sweep{batch=128}"}, std::pair{"256", "sweep{batch=256}"}})
    compare(s, std::string("batch_") + size, "row_time", "sweep{batch=16}", candidate);
  for (const auto& [id, baseline, candidate] :
       {std::array{"prefetch", "starve", "starve{prefetch=on}"},
        std::array{"prefetch_at_tensorflows_cost", "starve{map=tensorflow}", "starve{map=tensorflow,prefetch=on}"},
        std::array{"rewrites_at_tensorflows_cost", "starve{map=tensorflow}", "starve{map=tensorflow,rewrites=on}"}}) {
    s.compare({.id = id,
               .metric = "waiting_share",
               .baseline = baseline,
               .candidate = candidate,
               .form = "difference",
               .margin = 0.02});
  }
  compare(s, "map_on_batches", "row_time", "vectorized", "vectorized{way=batches}");
  compare(s, "cheap_map_on_batches", "row_time", "vectorized{map=scaling}", "vectorized{map=scaling,way=batches}");
  // A cheap map may not pay for what the rewrites and autotuning do to it: 3 %.
  for (const auto& [id, baseline, candidate] :
       {std::array{"cheap_map_rewrites", "vectorized{map=scaling,rewrites=off}", "vectorized{map=scaling}"},
        std::array{"cheap_map_on_batches_rewrites", "vectorized{map=scaling,way=batches,rewrites=off}",
                   "vectorized{map=scaling,way=batches}"}})
    s.compare({.id = id, .metric = "row_time", .baseline = baseline, .candidate = candidate, .margin = 0.03});
  compare(s, "noop_rewrites", "element_time", "noop{rewrites=off}", "noop");
  compare(s, "order", "epoch_time", "stragglers", "stragglers{order=free}");
  for (const char* feed : {"feed=map,rewrites=off", "feed=map", "feed=prefetch", "feed=cache"})
    compare(s, "train_" + in_an_id(feed), "epoch_time", "train", std::string("train{") + feed + "}");
}

}  // namespace

harness::Scenario pipeline_scenario() {
  harness::Scenario s("pipeline", "What is an option of a data pipeline worth once the automatic rewrites are off?");
  declare_cases(s);
  declare_groups(s);
  declare_comparisons(s);
  s.ablate("epoch", "epoch_time", "data.").ablate("noop", "element_time", "data.");
  s.gate("epoch", "epoch_time").gate("epoch{rewrites=off}", "epoch_time").gate("epoch{options=cache}", "epoch_time");
  s.gate("noop", "element_time").gate("noop{rewrites=off}", "element_time");
  s.gate("vectorized{map=scaling}", "row_time");
  // The published table of section 1 is whole in every profile; its sweeps are shorter in `quick`.
  s.length("rows", 4000).length("starve_rows", 640).length("noop_elements", 65536);
  s.length("sweep_rows", 4000).length("quick", "sweep_rows", 1024);
  s.budget("quick", 80).budget("standard", 200).budget("full", 400);
  return s;
}

}  // namespace assay::scenarios

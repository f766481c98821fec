// The conclusion of the published text: how much of the speed-up of a parallel map the automatic rewrites supply alone.
// The three pipelines take turns in one process.
#include <array>
#include <cmath>

#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {

void supplied(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto with_rewrites = read_options(parameters);
  if (!with_rewrites.controls.on(engine::Control::parallelize_map))
    throw harness::Skipped("the rewrites are off, so that they supply nothing");
  auto none = with_rewrites;
  none.controls = engine::ControlSet::without(data_controls());
  const auto rows = parameters.length("rows");
  const engine::Pipeline source = first_rows(parameters, rows);
  const engine::Pipeline plain = source.map(published_map()).batch(batch_rows),
                         parallel =
                             source.map(published_map(), {.num_parallel_calls = engine::autotune}).batch(batch_rows);
  engine::Reader off(plain, none), on(plain, with_rewrites), asked(parallel, with_rewrites);
  const std::array<engine::Reader*, 3> readers{&off, &on, &asked};
  for (auto* reader : readers)
    report.check("an epoch has every row", std::abs(static_cast<double>(read_epoch(*reader).rows - rows)), 0);

  std::vector<double> shares, by_rewrite, in_all;
  for (int repetition = 0; repetition < parameters.repetitions; ++repetition) {
    std::array<double, 3> seconds{};
    for (std::size_t turn = 0; turn < 3; ++turn) {
      const std::size_t which = (turn + static_cast<std::size_t>(repetition)) % 3;
      seconds[which] = read_next_epoch(*readers[which]).seconds;
    }
    by_rewrite.push_back(seconds[0] / seconds[1]);
    in_all.push_back(seconds[0] / seconds[2]);
    // The share of a small speed-up is noisy, which the interval over rounds shows. Without a speed-up there is no
    // share.
    if (std::abs(std::log(in_all.back())) > 1e-3)
      shares.push_back(std::log(by_rewrite.back()) / std::log(in_all.back()));
  }
  report.samples("speed_up_by_rewrites", "", "higher", by_rewrite);
  report.samples("speed_up_in_all", "", "higher", in_all);
  if (shares.empty())
    throw harness::Skipped("a parallel map changes nothing here, so that there is no speed-up to share");
  report.samples("supplied_share", "", "", shares);
  report.choose("a share is",
                "log(speed-up by the rewrites alone) / log(speed-up with a parallel map asked for as well)");
  report_pipeline(report, plain, on);
}

}  // namespace assay::scenarios::pipeline

#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// A thread that reads the input ahead of whoever asks.
class PrefetchStage final : public Stage {
 public:
  /// `depth` elements ahead: its thread then runs in any case. `automatic`: autotuning also decides whether there is
  /// one. `injected`: by a rewrite. Throws std::invalid_argument for a depth below 0 or above
  /// `most_ahead`.
  PrefetchStage(StagePtr input, int depth, bool injected = false);

  std::string describe() const override;
  std::string identity() const override { return ""; }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;
  bool runs_ahead() const override { return true; }

 private:
  int depth_;
  bool injected_;
};

}  // namespace assay::engine

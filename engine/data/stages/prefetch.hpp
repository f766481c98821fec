#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// A thread that reads the input ahead of whoever asks.
class PrefetchStage final : public Stage {
 public:
  /// `depth` elements ahead, or `automatic`. `injected` by a rewrite: the thread then counts against the core budget,
  /// where one that was asked for runs in any case. Throws std::invalid_argument for a negative depth.
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

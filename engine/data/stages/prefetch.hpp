#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Reads its input in a thread of its own, ahead of the consumer.
class PrefetchStage final : public Stage {
 public:
  /// A stage with a `buffer_size` has its thread in any case; with `autotune` the thread, too, is chosen while reading.
  /// `injected` says that a rewrite added the stage. Throws std::invalid_argument for a size below 0 or above
  /// `max_buffered`.
  PrefetchStage(StagePtr input, int buffer_size, bool injected = false);

  std::string describe() const override;
  std::string identity() const override { return ""; }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
  bool prefetches() const override { return true; }

 private:
  int buffer_size_;
  bool injected_;
};

}  // namespace assay::engine

#pragma once
#include <memory>

#include "engine/data/autotune.hpp"
#include "engine/data/pipeline.hpp"
#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/statistics.hpp"

namespace assay::engine {

/// Reads a pipeline, epoch after epoch. It rewrites it first, tunes it as it goes and counts what its stages do.
/// Destroyed or restarted at any point it ends its threads at once: it waits for a call of a map or of a source that is
/// under way, not for an element that nobody will take.
class Reader {
 public:
  /// Throws std::invalid_argument where cores or training threads are not above 0, or above `most_threads`.
  Reader(const Pipeline& pipeline, ReadOptions options);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// The next element; false at the end of the epoch, and from then on until restart(). Throws what stopped the
  /// pipeline, once; the epoch is over then. Throws Cancelled after cancel().
  bool next(Element& out);
  /// Begins the next epoch, whatever became of this one.
  void restart();
  std::uint64_t epoch() const { return epoch_; }
  /// From any thread: a read that waits or works and every later one throw Cancelled. One that is nearly done may still
  /// give its element.
  void cancel() { reading_.cancel(); }

  /// From any thread: since the reader began, and of this epoch (or of the last, where it has ended).
  PipelineStatistics statistics() const;
  PipelineStatistics epoch_statistics() const;
  /// The pipeline that is read, and what the rewrites did.
  const Rewritten& rewritten() const { return rewritten_; }
  /// What autotuning chose, and why; empty with data.autotune off.
  std::vector<Tuned> choices() const { return tuner_.choices(); }

 private:
  void open();
  void look(std::int64_t now);

  const Rewritten rewritten_;
  Reading reading_;
  Autotuner tuner_;
  std::unique_ptr<Cursor> cursor_;
  std::uint64_t epoch_ = 0;
  Counter waiting_, training_;  // ns
  std::int64_t elements_ = 0, in_epoch_ = 0, longest_epoch_ = 0;
  std::int64_t left_ = 0;  // when next() returned last; 0 at the begin of an epoch
  std::int64_t next_look_ = 0, between_looks_;
};

}  // namespace assay::engine

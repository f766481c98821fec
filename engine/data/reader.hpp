#pragma once
#include "engine/data/autotune.hpp"
#include "engine/data/pipeline.hpp"
#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/statistics.hpp"

namespace assay::engine {

/// Reads a pipeline, one epoch after the other. It rewrites the pipeline first, tunes it while reading, and counts what
/// its stages do:
///
///   Reader reader(Pipeline::arrays({x, labels}).shuffle({.buffer_size = 1000}).batch(64), {.seed = 1});
///   for (int epoch = 0; epoch < 3; ++epoch, reader.restart())
///     while (reader.next(batch)) train(batch[0].release(), batch[1].release());
///
/// Its threads end when it is destroyed or begins another epoch. That waits for a call of a map or of a source that is
/// under way, and for nothing else.
class Reader {
 public:
  /// Throws std::invalid_argument where cores or training threads are below 1 or above `max_threads`.
  explicit Reader(const Pipeline& pipeline, ReadOptions options = {});
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// The next element; false at the end of the epoch and from then on. Throws what stopped the pipeline, once: the
  /// epoch is over then. Throws Cancelled after cancel().
  bool next(Element& out);
  /// Begins the next epoch, wherever this one is.
  void restart();
  std::uint64_t epoch() const { return epoch_; }
  /// Makes a read that waits or works, and every later one, throw Cancelled. A read that is nearly done may still give
  /// its element. From any thread.
  void cancel() { context_.cancel(); }

  /// Since the reader began, and since this epoch began. From any thread.
  PipelineStatistics statistics() const;
  PipelineStatistics epoch_statistics() const;
  /// The pipeline that is read, and what each rewrite did.
  const RewriteResult& rewrite_result() const { return rewrite_result_; }
  /// What autotuning chose, and why; empty with data.autotune off.
  std::vector<TuningChoice> choices() const { return autotuner_.choices(); }

 private:
  void open();
  void tune(std::int64_t now);

  const RewriteResult rewrite_result_;
  PipelineContext context_;
  Autotuner autotuner_;
  std::unique_ptr<StageIterator> iterator_;
  std::uint64_t epoch_ = 0;
  Counter waiting_, training_;  // ns
  std::int64_t elements_ = 0, in_epoch_ = 0, longest_epoch_ = 0;
  std::int64_t returned_at_ = 0;  // when next() returned last; 0 at the begin of an epoch
  std::int64_t next_tuning_ = 0, between_tunings_;
};

}  // namespace assay::engine

#pragma once
#include <string>

#include "engine/data/element.hpp"
#include "engine/data/pipeline_context.hpp"

namespace assay::engine {

/// Where an iterator stands: in which epoch, and at which stage of the pipeline. The last stage is "0", its first input
/// "0.0".
struct IteratorContext {
  PipelineContext& pipeline;
  std::uint64_t epoch = 0;
  std::string path = "0";
  std::string description{};
  std::uint64_t random_before = 0;  // stages that may draw random numbers and are counted before this one's
  std::uint64_t random_key = 0;     // mixed into the seed of the stage

  StageState& state(const std::function<void(StageState&)>& initialize = {}) const {
    return pipeline.state(path, description, initialize);
  }
};

/// Reads a stage for one epoch, one element at a time. Threads that it has end with it.
class StageIterator {
 public:
  explicit StageIterator(const IteratorContext& context) : pipeline_(context.pipeline), state_(context.state()) {}
  virtual ~StageIterator() = default;
  StageIterator(const StageIterator&) = delete;
  StageIterator& operator=(const StageIterator&) = delete;

  /// Puts the next element into `out`, whose memory is used again. False at the end of the epoch and from then on. One
  /// thread at a time calls it. An exception ends the epoch.
  bool next(Element& out) {
    if (ended_) return false;
    ended_ = true;  // and stays so where the next line throws
    const bool got = sampler_.due() ? timed_produce(out) : produce(out);
    ended_ = !got;
    if (got) state_.counters.elements.add(1);
    return got;
  }
  /// Whether next() has met the end, or thrown.
  bool ended() const { return ended_; }

 protected:
  /// Not called again once it returned false or threw: stages need not remember their end.
  virtual bool produce(Element& out) = 0;
  StageState& state() const { return state_; }
  PipelineContext& pipeline() const { return pipeline_; }

 private:
  bool timed_produce(Element& out);

  PipelineContext& pipeline_;
  StageState& state_;
  TimingSampler sampler_;
  bool ended_ = false;
};

}  // namespace assay::engine

#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/data/counters.hpp"
#include "engine/data/element.hpp"
#include "engine/data/randomness.hpp"
#include "engine/data/reading.hpp"

namespace assay::engine {

/// Reads a stage for one epoch, an element at a time. Threads that it has end with it.
class Cursor {
 public:
  explicit Cursor(const Opening& opening) : reading_(opening.reading), state_(opening.state()) {}
  virtual ~Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// The next element into `out`, whose memory is used again; false at the end of the epoch and from then on. Called by
  /// one thread at a time. What it throws ends the epoch.
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
  /// Not called again once it gave false or threw: stages need not remember their end.
  virtual bool produce(Element& out) = 0;
  StageState& state() const { return state_; }
  Reading& reading() const { return reading_; }

 private:
  bool timed_produce(Element& out);

  Reading& reading_;
  StageState& state_;
  Sampler sampler_;
  bool ended_ = false;
};

class Stage;
using StagePtr = std::shared_ptr<const Stage>;

/// One step of a pipeline as it was described: immutable, shared by every pipeline that goes on from it.
class Stage {
 public:
  explicit Stage(std::vector<StagePtr> inputs);
  Stage(std::vector<StagePtr> inputs, const Randomness& randomness)
      : inputs_(std::move(inputs)), randomness_(randomness) {}
  virtual ~Stage() = default;

  const std::vector<StagePtr>& inputs() const { return inputs_; }
  const StagePtr& input() const { return inputs_.front(); }
  const Randomness& randomness() const { return randomness_; }

  /// "batch 64, remainder kept": what it does, and how.
  virtual std::string describe() const = 0;
  /// What it does, without how: equal descriptions down to the sources give equal elements. "" where it changes none.
  virtual std::string identity() const { return describe(); }
  /// The same over other inputs: what rewrites build with.
  virtual StagePtr over(std::vector<StagePtr> inputs) const = 0;
  virtual std::unique_ptr<Cursor> open(const Opening& opening) const = 0;
  /// The same, as the stage at `path`, where `random_before` random stages are counted before its own.
  std::unique_ptr<Cursor> open_at(Reading& reading, std::uint64_t epoch, const std::string& path = "0",
                                  std::uint64_t random_before = 0) const;
  /// Fields of its elements at least, as far as they are known before one is made.
  virtual std::size_t least_fields() const { return inputs_.empty() ? 1 : input()->least_fields(); }
  /// Whether it makes elements before they are asked for.
  virtual bool runs_ahead() const { return false; }

 protected:
  std::unique_ptr<Cursor> open_input(const Opening& opening, std::size_t i = 0) const;
  std::unique_ptr<Cursor> open_input(const Opening& opening, std::size_t i, std::uint64_t epoch) const;

 private:
  std::vector<StagePtr> inputs_;
  Randomness randomness_;
};

/// Of all inputs together.
Randomness randomness_of(const std::vector<StagePtr>& inputs);

/// The pipeline as text, a stage a line, its inputs below it and further in.
std::string to_string(const Stage& last);
/// Identities of all stages, last first: what a cache file is for.
std::string identity_of(const Stage& last);
/// The identity of a stage and of what it reads; either may be "".
std::string joined(const std::string& identity, const std::string& below);

}  // namespace assay::engine

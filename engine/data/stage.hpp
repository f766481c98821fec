#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/data/randomness.hpp"
#include "engine/data/stage_iterator.hpp"

namespace assay::engine {

class Stage;
using StagePtr = std::shared_ptr<const Stage>;

/// One step of a pipeline's description. Immutable; pipelines share the stages that they have in common.
class Stage {
 public:
  explicit Stage(std::vector<StagePtr> inputs);
  Stage(std::vector<StagePtr> inputs, const Randomness& randomness)
      : inputs_(std::move(inputs)), randomness_(randomness) {}
  virtual ~Stage() = default;

  const std::vector<StagePtr>& inputs() const { return inputs_; }
  const StagePtr& input() const { return inputs_.front(); }
  const Randomness& randomness() const { return randomness_; }

  /// What the stage does and how: "batch 64, remainder kept".
  virtual std::string describe() const = 0;
  /// What the stage does, without how. Pipelines whose stages have equal identities give equal elements. "" for a stage
  /// that changes no element.
  virtual std::string identity() const { return describe(); }
  /// The same stage with other inputs: rewrites build pipelines with it.
  virtual StagePtr with_inputs(std::vector<StagePtr> inputs) const = 0;
  virtual std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const = 0;
  /// The iterator for the stage at `path`, where `random_before` random stages are counted before its own.
  std::unique_ptr<StageIterator> make_iterator_at(PipelineContext& pipeline, std::uint64_t epoch,
                                                  const std::string& path = "0", std::uint64_t random_before = 0) const;
  /// The fields that its elements have at least, as far as that is known before one is made.
  virtual std::size_t min_fields() const { return inputs_.empty() ? 1 : input()->min_fields(); }
  /// Whether the stage may make elements before they are asked for.
  virtual bool prefetches() const { return false; }

 protected:
  std::unique_ptr<StageIterator> make_input_iterator(const IteratorContext& context, std::size_t i = 0) const;
  std::unique_ptr<StageIterator> make_input_iterator(const IteratorContext& context, std::size_t i,
                                                     std::uint64_t epoch) const;

 private:
  std::vector<StagePtr> inputs_;
  Randomness randomness_;
};

/// The randomness of all inputs together.
Randomness randomness_of(const std::vector<StagePtr>& inputs);

/// The pipeline as text: one line a stage, its inputs below it and indented.
std::string to_string(const Stage& last);
/// The identities of all stages, last first: what a cache file holds.
std::string identity_of(const Stage& last);
/// The identity of a stage together with that of its inputs. Either may be "".
std::string joined(const std::string& identity, const std::string& input_identity);

}  // namespace assay::engine

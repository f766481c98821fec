#pragma once
#include <filesystem>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// The epoch whose random numbers a cache holds, whichever epoch fills it: its elements must not depend on an epoch
/// that was left early.
constexpr std::uint64_t cached_epoch = 0;

/// Keeps the elements of the first epoch that is read to its end, and gives them in every later epoch of the same
/// reader. An epoch that is left early leaves nothing.
class MemoryCacheStage final : public Stage {
 public:
  explicit MemoryCacheStage(StagePtr input) : Stage({std::move(input)}) {}

  std::string describe() const override { return "cache in memory"; }
  std::string identity() const override { return "cache"; }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override {
    return std::make_shared<MemoryCacheStage>(std::move(inputs.front()));
  }
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
};

/// Keeps the elements in a record file, which later readers with the same seed use too. The file appears under its name
/// once it is whole (AtomicFile).
class FileCacheStage final : public Stage {
 public:
  FileCacheStage(StagePtr input, std::filesystem::path file);

  std::string describe() const override { return "cache in " + file_.string(); }
  std::string identity() const override { return "cache"; }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  /// Throws DataError, with both identities, where the file belongs to another pipeline or seed.
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::filesystem::path file_;
};

}  // namespace assay::engine

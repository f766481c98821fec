#pragma once
#include <filesystem>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// The elements of a record file.
class RecordsStage final : public Stage {
 public:
  /// Throws DataError where the file is missing, is no record file, or is empty.
  explicit RecordsStage(std::filesystem::path file);

  std::string describe() const override { return "records " + file_.string(); }
  /// Includes a checksum of the file. Throws DataError where the file is broken.
  std::string identity() const override;
  StagePtr with_inputs(std::vector<StagePtr>) const override { return std::make_shared<RecordsStage>(file_); }
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::filesystem::path file_;
};

}  // namespace assay::engine

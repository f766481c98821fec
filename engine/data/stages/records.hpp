#pragma once
#include <filesystem>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// The elements of a record file.
class RecordsStage final : public Stage {
 public:
  /// Throws DataError where the file is missing, is none, or has no record.
  explicit RecordsStage(std::filesystem::path file);

  std::string describe() const override { return "records " + file_.string(); }
  /// With a checksum of the file. Throws DataError where it is broken.
  std::string identity() const override;
  StagePtr over(std::vector<StagePtr>) const override { return std::make_shared<RecordsStage>(file_); }
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::filesystem::path file_;
};

}  // namespace assay::engine

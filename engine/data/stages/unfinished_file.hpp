#pragma once
#include <filesystem>

namespace assay::engine {

/// A name beside a file's place, for as long as the file is not whole; nothing of that name is left in the end. Making
/// one removes those of this host's processes that are gone.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::filesystem::path place);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Moves the file, now whole, to its place. Throws std::filesystem::filesystem_error.
  void finish() const;

 private:
  std::filesystem::path place_, path_;
};

}  // namespace assay::engine

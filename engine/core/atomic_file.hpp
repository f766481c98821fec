#pragma once
#include <filesystem>

namespace assay::engine {

/// A file that appears under its name only once it is whole. It is written under a name beside it, which is gone in the
/// end in any case. Making one removes what processes of this host that are gone have left.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }
  /// Gives the written file its name. Throws std::filesystem::filesystem_error.
  void commit() const;

 private:
  std::filesystem::path file_, path_;
};

}  // namespace assay::engine

#pragma once
#include <filesystem>

namespace assay::harness {

/// The lock of the machine, held while the object lives: two runs that measure at the same time disturb each other. The
/// kernel releases it when the process ends.
class MachineLock {
 public:
  /// Throws CommandError 5 that names the holder's process and command line.
  explicit MachineLock(const std::filesystem::path& file = default_file());
  ~MachineLock();
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

  /// $ASSAY_LOCK, else /tmp/assay.lock: the same for all users.
  static std::filesystem::path default_file();

 private:
  int descriptor_ = -1;
};

}  // namespace assay::harness

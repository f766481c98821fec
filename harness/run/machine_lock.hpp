#pragma once
#include <filesystem>

namespace assay::harness {

/// The one lock of a machine: two runs that measure at once disturb each other. Held while it lives; the kernel frees
/// it with its process.
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

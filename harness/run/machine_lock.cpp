#include "harness/run/machine_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/errors/errors.hpp"

namespace assay::harness {
namespace {

/// This process's command line, on one line.
std::string own_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

std::string holder_in(int descriptor) {
  std::string text(1024, '\0');
  const ssize_t count = pread(descriptor, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text.empty() ? "an unknown process" : text.substr(0, text.find('\n'));
}

}  // namespace

std::filesystem::path MachineLock::default_file() {
  const char* const chosen = std::getenv("ASSAY_LOCK");
  return chosen && *chosen ? chosen : "/tmp/assay.lock";
}

MachineLock::MachineLock(const std::filesystem::path& file) {
  // An existing file is opened without O_CREAT: in a sticky folder Linux refuses that for another user's file.
  descriptor_ = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0 && errno == ENOENT) {
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) fchmod(descriptor_, 0666);  // whatever the umask: other users take the same lock
  }
  if (descriptor_ < 0)
    throw CommandError(5, "the machine's lock " + file.string() + " cannot be opened: " + std::strerror(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = holder_in(descriptor_);
    close(descriptor_);
    throw CommandError(
        5, "another run is measuring on this machine: " + holder + "; wait until it ends (lock " + file.string() + ")");
  }
  const std::string text = "process " + std::to_string(getpid()) + ", " + own_command() + "\n";
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, text.data(), text.size(), 0) < 0) {
    // Without the holder's name the lock still holds.
  }
}

MachineLock::~MachineLock() {
  if (descriptor_ < 0) return;
  if (ftruncate(descriptor_, 0) != 0) {
    // The next holder writes over it.
  }
  close(descriptor_);
}

}  // namespace assay::harness

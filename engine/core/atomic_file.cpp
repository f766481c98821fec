#include "engine/core/atomic_file.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <string>
#include <vector>

namespace assay::engine {
namespace {

/// "cache.rec.unfinished-HOST-", which a process id and a number follow. The host is part of the name, because process
/// ids of another machine or container mean nothing here.
std::string start_of(const std::filesystem::path& file) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return file.filename().string() + ".unfinished-" + host.data() + "-";
}

/// Whether a process that is gone began a file of this name. False in doubt.
bool is_left_behind(const std::string& name, const std::string& start) {
  if (!name.starts_with(start)) return false;
  const char *const first = name.data() + start.size(), *const last = name.data() + name.size();
  pid_t process = 0;
  const auto [end, error] = std::from_chars(first, last, process);
  if (error != std::errc{} || end == last || *end != '-' || process <= 0) return false;
  return kill(process, 0) != 0 && errno == ESRCH;
}

void remove_left_behind(const std::filesystem::path& file) {
  const std::string start = start_of(file);
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::error_code ignored;  // making the file will report a folder that cannot be used
  std::vector<std::filesystem::path> gone;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (is_left_behind(entry->path().filename().string(), start)) gone.push_back(entry->path());
  }
  for (const auto& path : gone) std::filesystem::remove(path, ignored);
}

std::filesystem::path beside(const std::filesystem::path& file) {
  static std::atomic<int> number{0};
  auto path = file;
  return path.replace_filename(start_of(file) + std::to_string(getpid()) + "-" + std::to_string(number++));
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path file) : file_(std::move(file)), path_(beside(file_)) {
  remove_left_behind(file_);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;  // there is no such file after commit()
  std::filesystem::remove(path_, ignored);
}

void AtomicFile::commit() const { std::filesystem::rename(path_, file_); }

}  // namespace assay::engine

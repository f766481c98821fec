#include "engine/data/stages/unfinished_file.hpp"

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

/// "cache.rec.unfinished-HOST-", which a process and a number follow: another machine's processes, or another
/// container's, are not for us to look for.
std::string start_of(const std::filesystem::path& place) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return place.filename().string() + ".unfinished-" + host.data() + "-";
}

/// Whether a file of this name was begun by a process that is no more. In doubt it was not.
bool is_left_behind(const std::string& name, const std::string& start) {
  if (!name.starts_with(start)) return false;
  const char *const first = name.data() + start.size(), *const last = name.data() + name.size();
  pid_t process = 0;
  const auto [end, error] = std::from_chars(first, last, process);
  if (error != std::errc{} || end == last || *end != '-' || process <= 0) return false;
  return kill(process, 0) != 0 && errno == ESRCH;
}

void remove_left_behind(const std::filesystem::path& place) {
  const std::string start = start_of(place);
  const auto folder = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
  std::error_code ignored;  // a folder that cannot be read says so when the file is made in it
  std::vector<std::filesystem::path> gone;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (is_left_behind(entry->path().filename().string(), start)) gone.push_back(entry->path());
  }
  for (const auto& path : gone) std::filesystem::remove(path, ignored);
}

std::filesystem::path beside(const std::filesystem::path& place) {
  static std::atomic<int> number{0};
  auto path = place;
  return path.replace_filename(start_of(place) + std::to_string(getpid()) + "-" + std::to_string(number++));
}

}  // namespace

UnfinishedFile::UnfinishedFile(std::filesystem::path place) : place_(std::move(place)), path_(beside(place_)) {
  remove_left_behind(place_);
}

UnfinishedFile::~UnfinishedFile() {
  std::error_code ignored;  // there is none where the file became whole
  std::filesystem::remove(path_, ignored);
}

void UnfinishedFile::finish() const { std::filesystem::rename(path_, place_); }

}  // namespace assay::engine

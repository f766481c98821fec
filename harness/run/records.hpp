#pragma once
#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// records.jsonl of one run, open for appending. Each record is one write(2), so that a crash tears at most the last
/// line.
class Records {
 public:
  /// Opens or creates; a torn last line is cut off first. Throws std::system_error that names the file.
  explicit Records(const std::filesystem::path& file);
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  void append(const nlohmann::json& record);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// All whole lines in order, checked (check_record.hpp); a last line without its newline is dropped. Throws
/// CommandError 5 that names the line, what was expected and what was found when another one is no record of the run.
std::vector<nlohmann::json> read_records(const std::filesystem::path& file);

}  // namespace assay::harness

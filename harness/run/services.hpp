#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/run/case_process.hpp"
#include "harness/run/case_record.hpp"

namespace assay::harness {

/// The services that are running. A service starts before the first case that needs it and ends after the last.
class Services {
 public:
  using Record = std::function<void(const nlohmann::json&)>;
  Services(std::vector<int> cpus, Record record) : cpus_(std::move(cpus)), record_(std::move(record)) {}
  ~Services() = default;  // kills without a record: keep_only({}) is the orderly end

  bool runs(const ProgramConfiguration& service);
  /// Starts it and waits until it says `ready`; throws std::runtime_error with the reason when it does not.
  void start(const ProgramConfiguration& service, const ProcessSpec& spawn, double limit_s,
             const std::filesystem::path& out, const std::atomic<bool>& stop);
  int port(const ProgramConfiguration& service) const { return running_.at(service).port; }
  bool any() const { return !running_.empty(); }
  /// Reads what they say, so that no pipe fills up.
  void pump();
  /// Ends all others by SIGTERM and records them.
  void keep_only(const std::set<ProgramConfiguration>& needed);

 private:
  struct Running {
    std::unique_ptr<CaseProcess> process;
    std::filesystem::path out;
    int port = 0;
    bool over = false;
  };
  void close(const ProgramConfiguration& service, Running& running);

  std::vector<int> cpus_;
  Record record_;
  std::map<ProgramConfiguration, Running> running_;
};

}  // namespace assay::harness

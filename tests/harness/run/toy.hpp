#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/runner.hpp"

namespace assay::harness::toy {

/// A folder of its own, removed with it; its lock keeps tests from waiting for each other.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

/// Writes a Python program that speaks the protocol: toy.weights (exact, makes an artifact), toy.fit (trained),
/// toy.step with mode=a, b (timed, in one group), and what `cases_more` adds; `body` is Python that runs for each case
/// after `start`, with `name`, `settings`, `artifacts`, `out` and `say(event)`; returning from it finishes with ok.
std::filesystem::path program(const Folder& folder, const std::string& body, const std::string& cases_more = "");

HostContext host(const std::string& key = "here");
RunOptions options(const Folder& folder, const std::filesystem::path& program);

inline const std::atomic<bool> never{false};

/// Prepares and runs; returns the records.
std::vector<nlohmann::json> run(const Folder& folder, const std::filesystem::path& program);

/// The `process` records of one configuration.
std::vector<nlohmann::json> of(const std::vector<nlohmann::json>& records, const std::string& configuration);

}  // namespace assay::harness::toy

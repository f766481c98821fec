#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/parameters.hpp"
#include "harness/timing/timer.hpp"

namespace assay::harness {

/// A case throws this if it cannot run here. what() becomes the reason of its status `skipped`.
class Skipped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Axis {
  std::string name, unit;
  std::vector<double> values;
};

/// Writes the events of one case (docs/protocol.md), one flushed line each, to the descriptor that the program kept for
/// it.
class Reporter {
 public:
  Reporter(int descriptor, const Parameters& parameters);

  void start(const nlohmann::json& program, const nlohmann::json& controls);
  /// A choice of the plan that belongs to the result (threads, kernels, fallbacks); its own event, `choice`.
  void choose(const std::string& name, const nlohmann::json& value);
  void samples(const std::string& metric, const std::string& unit, const std::string& better,
               std::span<const double> values, std::int64_t warmup = 0);
  /// `better` is "lower", "higher" or "" where neither is.
  void value(const std::string& metric, const std::string& unit, const std::string& better, double value);
  void series(const std::string& name, const Axis& x, const Axis& y);
  /// Passed when measured <= limit; a measured value that is not finite fails.
  bool check(const std::string& name, double measured, double limit);
  /// The whole file is hashed; the path must lie inside Parameters::out.
  void artifact(const std::string& name, const std::filesystem::path& path, const std::string& format);
  void predictions(const std::string& name, std::span<const std::int32_t> predicted,
                   std::span<const std::int32_t> expected);
  void ready(int port);
  void finish(const std::string& status, const std::string& reason = "");

  /// Times `call` by Google Benchmark in this process (harness/timing) and reports `samples` in ns a call (a metric
  /// with unit "ns").
  void time(const std::string& metric, const TimingOptions& options, const std::function<void()>& call);

 private:
  void emit(nlohmann::json event);

  int descriptor_;
  const Parameters& parameters_;
};

}  // namespace assay::harness

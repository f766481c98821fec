#include "harness/cases/reporter.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <string>
#include <system_error>

#include "harness/files/sha256.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

const char* why_not_finite(double number) {
  return std::isnan(number) ? "not a number" : number > 0 ? "infinite" : "negative infinite";
}

/// A number, or null with the first reason put into the event: JSON has neither NaN nor infinity.
json number(double value, json& event) {
  if (std::isfinite(value)) return value;
  if (!event.contains("reason")) event["reason"] = why_not_finite(value);
  return nullptr;
}

json numbers(std::span<const double> values, json& event) {
  json list = json::array();
  for (const double value : values) list.push_back(number(value, event));
  return list;
}

/// VmHWM, the peak of resident memory, in bytes; null where the kernel does not say.
json peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  return nullptr;
}

}  // namespace

Reporter::Reporter(int descriptor, const Parameters& parameters) : descriptor_(descriptor), parameters_(parameters) {}

void Reporter::emit(json event) {
  const std::string line = event.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "writing an event");
    written += static_cast<std::size_t>(count);
  }
}

void Reporter::start(const json& program, const json& controls) {
  emit({{"event", "start"},
        {"protocol", 1},
        {"case", parameters_.case_name},
        {"parameters", parameters_.values},
        {"lengths", parameters_.lengths},
        {"seed", parameters_.seed},
        {"threads", parameters_.threads},
        {"program", program},
        {"controls", controls}});
}

void Reporter::choose(const std::string& name, const json& value) {
  emit({{"event", "choice"}, {"name", name}, {"value", value}});
}

void Reporter::samples(const std::string& metric, const std::string& unit, const std::string& better,
                       std::span<const double> values, std::int64_t warmup) {
  json event{{"event", "samples"}, {"metric", metric}, {"unit", unit}, {"better", better}, {"warmup", warmup}};
  event["values"] = numbers(values, event);
  emit(std::move(event));
}

void Reporter::value(const std::string& metric, const std::string& unit, const std::string& better, double value) {
  json event{{"event", "value"}, {"metric", metric}, {"unit", unit}, {"better", better}};
  event["value"] = number(value, event);
  emit(std::move(event));
}

void Reporter::series(const std::string& name, const Axis& x, const Axis& y) {
  if (x.values.size() != y.values.size())
    throw std::invalid_argument("series " + name + ": " + std::to_string(x.values.size()) + " x values but " +
                                std::to_string(y.values.size()) + " y values");
  json event{{"event", "series"}, {"name", name}};
  event["x"] = {{"name", x.name}, {"unit", x.unit}, {"values", numbers(x.values, event)}};
  event["y"] = {{"name", y.name}, {"unit", y.unit}, {"values", numbers(y.values, event)}};
  emit(std::move(event));
}

bool Reporter::check(const std::string& name, double measured, double limit) {
  json event{{"event", "check"}, {"name", name}, {"passed", measured <= limit && std::isfinite(measured)}};
  event["measured"] = number(measured, event);
  event["limit"] = number(limit, event);
  const bool passed = event["passed"];
  emit(std::move(event));
  return passed;
}

void Reporter::artifact(const std::string& name, const std::filesystem::path& path, const std::string& format) {
  const auto relative = std::filesystem::relative(path, parameters_.out);
  if (relative.empty() || *relative.begin() == "..")
    throw std::invalid_argument("artifact " + name + ": " + path.string() + " lies outside of --out " +
                                parameters_.out.string());
  emit({{"event", "artifact"},
        {"name", name},
        {"path", relative.string()},
        {"sha256", sha256_of_file(path)},
        {"format", format}});
}

void Reporter::predictions(const std::string& name, std::span<const std::int32_t> predicted,
                           std::span<const std::int32_t> expected) {
  if (predicted.size() != expected.size())
    throw std::invalid_argument("predictions " + name + ": " + std::to_string(predicted.size()) +
                                " labels predicted, " + std::to_string(expected.size()) + " expected");
  emit({{"event", "predictions"},
        {"name", name},
        {"predicted", std::vector<std::int32_t>(predicted.begin(), predicted.end())},
        {"expected", std::vector<std::int32_t>(expected.begin(), expected.end())}});
}

void Reporter::ready(int port) { emit({{"event", "ready"}, {"port", port}}); }

void Reporter::finish(const std::string& status, const std::string& reason) {
  emit({{"event", "finish"}, {"status", status}, {"reason", reason}, {"peak_bytes", peak_bytes()}});
}

void Reporter::time(const std::string& metric, const TimingOptions& options, const std::function<void()>& call) {
  const Timing timing = measure(options, parameters_.repetitions, call);
  samples(metric, "ns", "lower", timing.samples, timing.warmup);
}

}  // namespace assay::harness

#include "harness/machine/gpu_clocks.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

struct Reason {
  std::uint64_t bit;
  const char* text;
};

/// Of NVML's clocks event reasons.
constexpr std::array<Reason, 6> reasons{{{0x1, "idle"},
                                         {0x4, "power limit"},
                                         {0x8, "hardware slowdown"},
                                         {0x20, "software thermal slowdown"},
                                         {0x40, "hardware thermal slowdown"},
                                         {0x80, "power brake"}}};

}  // namespace

std::string gpu_clock_text(const std::string& csv_line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= csv_line.size();) {
    const auto end = std::min(csv_line.find(',', begin), csv_line.size());
    fields.push_back(printable(trimmed(std::string_view(csv_line).substr(begin, end - begin))));
    begin = end + 1;
  }
  if (fields.size() != 4 || !integer_of(fields[1]) || !integer_of(fields[2])) return "";
  std::string text = fields[0] + ": " + fields[1] + " of " + fields[2] + " MHz";
  const std::uint64_t mask = std::strtoull(fields[3].c_str(), nullptr, 16);
  for (const Reason& reason : reasons)
    if (mask & reason.bit) text += std::string(", ") + reason.text;
  return text;
}

nlohmann::json gpu_clocks() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen("timeout 5 nvidia-smi --query-gpu=name,clocks.sm,clocks.max.sm,clocks_throttle_reasons.active "
            "--format=csv,noheader,nounits 2>/dev/null",
            "r"),
      pclose);
  if (!pipe) return nullptr;
  std::string all;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr)
    if (const std::string text = gpu_clock_text(std::string(trimmed(line.data()))); !text.empty())
      all += (all.empty() ? "" : "; ") + text;
  return all.empty() ? nlohmann::json(nullptr) : nlohmann::json(all);
}

}  // namespace assay::harness

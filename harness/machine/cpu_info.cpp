#include "harness/machine/cpu_info.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

using Fields = std::map<std::string_view, std::string_view>;

// Where each architecture lists its extensions, and which of them kernels choose by: prefixes of the kernel's names,
// since each has its family (avx512_bf16, svei8mm). Apart, because names collide: "sme" is a matrix unit on ARM,
// encryption on x86.
struct FeatureList {
  std::string_view field;
  std::vector<std::string_view> prefixes;
};
const std::array<FeatureList, 4> feature_lists{{{"flags", {"avx", "amx_", "fma", "f16c", "sse4_2"}},
                                                {"Features", {"asimd", "fphp", "sve", "sme", "bf16", "i8mm"}},
                                                {"isa", {"rv"}},
                                                {"cpu", {"POWER"}}}};

// the implementer field of MIDR_EL1, as Arm assigns it
const std::map<long long, std::string_view> arm_implementers{
    {0x41, "ARM"},       {0x42, "Broadcom"},  {0x43, "Cavium"},        {0x46, "Fujitsu"},
    {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},    {0x50, "Applied Micro"}, {0x51, "Qualcomm"},
    {0x61, "Apple"},     {0x6d, "Microsoft"}, {0xc0, "Ampere"}};

Fields first_processor(std::string_view text) {
  Fields fields;
  for (const auto line : lines_of(text))
    if (const auto pair = key_value(line)) fields.emplace(pair->first, pair->second);  // keeps the first of each name
  return fields;
}

std::string_view at(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string_view{} : found->second;
}

// -1 for what is no number
long long number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  long long value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

std::vector<std::string> kernel_features(const Fields& fields) {
  std::set<std::string> found;
  for (const auto& list : feature_lists)
    for (const auto word : words_of(at(fields, list.field)))
      if (std::any_of(list.prefixes.begin(), list.prefixes.end(),
                      [&](auto prefix) { return word.starts_with(prefix); }))
        found.insert(printable(word));
  return {found.begin(), found.end()};
}

void describe_arm(const Fields& fields, CpuInfo& cpu) {
  const auto implementer = at(fields, "CPU implementer");
  const auto known = arm_implementers.find(number(implementer));
  cpu.vendor = known == arm_implementers.end() ? printable(implementer) : std::string{known->second};
  cpu.family = number(at(fields, "CPU architecture"));
  cpu.model_number = number(at(fields, "CPU part"));
  cpu.stepping = number(at(fields, "CPU revision"));
  if (cpu.model.empty()) cpu.model = cpu.vendor + " part " + printable(at(fields, "CPU part"));
}

}  // namespace

CpuInfo parse_cpu_info(std::string_view proc_cpuinfo) {
  const auto fields = first_processor(proc_cpuinfo);
  CpuInfo cpu;
  cpu.model = printable(at(fields, "model name"));
  cpu.features = kernel_features(fields);
  const auto flags = words_of(at(fields, "flags"));
  cpu.hypervisor = std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
  if (fields.contains("CPU implementer")) {
    describe_arm(fields, cpu);
    return cpu;
  }
  cpu.vendor = printable(at(fields, fields.contains("mvendorid") ? "mvendorid" : "vendor_id"));
  if (cpu.model.empty()) cpu.model = printable(at(fields, fields.contains("uarch") ? "uarch" : "cpu"));
  cpu.family = number(at(fields, "cpu family"));
  cpu.model_number = number(at(fields, "model"));
  cpu.stepping = number(at(fields, "stepping"));
  return cpu;
}

}  // namespace assay::harness

#include "harness/commands/gate_outputs.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/gate/render.hpp"
#include "harness/machine/clock.hpp"
#include "harness/results/store.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string job_summary() {
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  return file == nullptr ? "" : file;
}

bool can_be_written(const fs::path& file) {
  if (fs::exists(file)) return !fs::is_directory(file) && access(file.c_str(), W_OK) == 0;
  const fs::path folder = fs::absolute(file).parent_path();
  return fs::is_directory(folder) && access(folder.c_str(), W_OK) == 0;
}

bool write_text(const std::string& file, const std::string& text, std::ios::openmode mode) {
  std::ofstream out(file, mode);
  out << text;
  if (out.flush()) return true;
  std::cerr << "assay: " << file << ": not written: " << std::strerror(errno) << "\n";
  return false;
}

}  // namespace

void prepare_outputs(const GateOutputs& outputs) {
  for (const auto& file : {outputs.junit, outputs.sarif, outputs.markdown})
    if (!file.empty() && !can_be_written(file))
      throw UsageError(file + ": cannot be written; expected a file in a folder that exists");
  if (const auto summary = job_summary(); !summary.empty() && !can_be_written(summary))
    std::cerr << "assay: " << summary
              << ": the job summary (GITHUB_STEP_SUMMARY) cannot be written; going on without it\n";
  for (const auto& file : {outputs.junit, outputs.sarif, outputs.markdown})
    if (!file.empty() && fs::is_regular_file(file)) fs::remove(file);
}

bool write_outputs(const GateOutputs& outputs, const json& document) {
  bool all = true;
  const auto write = [&](const std::string& file, const std::string& text, std::ios::openmode mode = std::ios::trunc) {
    if (!file.empty()) all = write_text(file, text, mode) && all;
  };
  write(outputs.junit, gate_junit(document));
  write(outputs.sarif, document_text(gate_sarif(document)));
  write(outputs.markdown, gate_markdown(document));
  if (const auto summary = job_summary();
      !summary.empty() && can_be_written(summary))  // prepare_outputs has warned if not
    write_text(summary, gate_markdown(document) + "\n", std::ios::app);
  return all;
}

json unmeasured_document(const Program& program, const std::string& against, int code, const std::string& cause) {
  return {{"created", utc_now()},
          {"assay", {{"version", program.version}}},
          {"machine", {{"identity", json::object()}}},
          {"programs", json::array()},
          {"processes", json::array()},
          {"gate",
           {{"against", against},
            {"commit", ""},
            {"benchmarks", json::array()},
            {"counts", json::object()},
            {"processes", 0},
            {"fail_on_undecided", false},
            {"exit", {{"code", code}, {"causes", {cause}}}}}}};
}

}  // namespace assay::harness

#include "harness/results/read_run.hpp"

#include "harness/results/store.hpp"
#include "harness/run/run_error.hpp"

namespace assay::harness {

nlohmann::json read_run(const std::filesystem::path& run) {
  const auto file = std::filesystem::is_directory(run) ? run / "run.json" : run;
  try {
    auto document = read_document(file);
    for (const char* part : {"machine", "comparisons", "values", "claims", "scenarios", "profile", "programs"})
      if (!document.contains(part))
        throw std::runtime_error(file.string() + ": is no run document: it has no '" + part + "'");
    return document;
  } catch (const std::runtime_error& error) {
    throw RunError(2, error.what());
  }
}

}  // namespace assay::harness

#include "scenarios/machine/team.hpp"

#include "engine/core/threads.hpp"
#include "harness/cases/reporter.hpp"

namespace assay::scenarios::machine {

int team(const harness::Parameters& parameters) {
  if (parameters.text("threads") == "1") return 1;
  if (parameters.threads < 2) throw harness::Skipped("one thread is all that this run may use; see threads=1");
  if (!engine::threads_available()) throw harness::Skipped("this build has no threads (OpenMP is off); see threads=1");
  return parameters.threads;
}

}  // namespace assay::scenarios::machine

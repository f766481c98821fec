#include "engine/kernels/settings.hpp"

#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

thread_local Settings current;

}  // namespace

const Settings& settings() { return current; }

void set_settings(const Settings& wanted) {
  current = wanted;
  set_team_size(wanted.threads);
}

}  // namespace assay::engine

#pragma once
#include <filesystem>
#include <vector>

#include "harness/run/runner.hpp"
#include "harness/run/schedule.hpp"

namespace assay::harness {

// What every kind of run needs before it can be planned.

/// Asks a program what it can run; with `data` it checks them first. Throws CommandError 2 (not to be started, unusable
/// data) or 5 (it does not speak the protocol), CatalogueError for a catalogue that breaks it.
ProgramCatalogue query_catalogue(const std::filesystem::path& program, const std::filesystem::path& data,
                                 const std::atomic<bool>& stop = never_stopped);

/// A program's entry in the `run` record. All but the first bring their own catalogue.
nlohmann::json describe(const ProgramCatalogue& offer, bool first);

/// The first `threads` CPUs that this process may use; all for 0. Throws CommandError 2 where there are fewer.
std::vector<int> first_cpus(int threads);

/// Throws CommandError 2 unless the folder is absent or empty, and in a place where it can be made.
void check_run_folder(const std::filesystem::path& folder);

}  // namespace assay::harness

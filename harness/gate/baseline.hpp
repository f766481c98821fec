#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace assay::harness {

/// The program built from a commit.
struct BuiltBaseline {
  std::string commit;
  std::filesystem::path program;
  bool from_cache = false;
};

/// Receives the messages of a build, and each of its steps as it ends.
struct BuildListener {
  std::function<void(const std::string&)> say;
  std::function<void(int done, int total, const std::string& step)> progress;
};

/// Builds the release preset of `reference` in the worktree `.deps/worktrees/COMMIT` of the checkout at `root`, unless
/// it was built there before. The worktree shares the checkout's `.deps/python`, so both need the same
/// requirements.txt. Throws CommandError 4 if the reference does not exist, has other requirements or does not build, 5
/// if git or the tools are missing, and 130 if `stop` ended the build.
BuiltBaseline build_baseline(const std::filesystem::path& root, const std::string& reference,
                             const BuildListener& listener, const std::atomic<bool>& stop);

/// Copies the programs into `.deps/gate/{base,null,cand}/assay`: the paths have equal length, so that no side has a
/// longer environment or longer arguments. Returns the folder that holds the three.
std::filesystem::path install_sides(const std::filesystem::path& folder, const std::filesystem::path& baseline,
                                    const std::filesystem::path& candidate);

}  // namespace assay::harness

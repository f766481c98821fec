#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace assay::harness {

/// A commit, built.
struct BuiltBaseline {
  std::string commit;
  std::filesystem::path program;
  bool from_cache = false;
};

/// Who is told of a build: what takes time, in words, and each step of it that ended.
struct BuildListener {
  std::function<void(const std::string&)> say;
  std::function<void(int done, int total, const std::string& step)> progress;
};

/// Builds the release preset of `reference` in a worktree of its own, `.deps/worktrees/COMMIT` of the checkout at
/// `root`, or takes what was built there before. It shares the checkout's `.deps/python` where its requirements.txt is
/// the same. Throws CommandError 4 for a reference that does not exist, has other
/// requirements or does not build, 5 where git or the tools are missing, 130 where
/// `stop` ended the build.
BuiltBaseline build_baseline(const std::filesystem::path& root, const std::string& reference,
                             const BuildListener& listener, const std::atomic<bool>& stop);

/// Copies the programs into `.deps/gate/{base,null,cand}/assay`: paths of equal length, so that no side's environment
/// or arguments are longer. Returns the folder above.
std::filesystem::path install_sides(const std::filesystem::path& folder, const std::filesystem::path& baseline,
                                    const std::filesystem::path& candidate);

}  // namespace assay::harness

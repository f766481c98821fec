#include "harness/gate/baseline.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

#include "harness/errors/errors.hpp"
#include "harness/machine/read_text.hpp"
#include "harness/results/store.hpp"
#include "harness/run/process.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;

struct Said {
  bool started = false, succeeded = false;
  std::string output;  // standard output, then the tail of standard error
};

using OnLine = std::function<void(const std::string&)>;

Said tell(std::vector<std::string> command, const std::map<std::string, std::string>& environment = {},
          const std::atomic<bool>& stop = never_stopped, const OnLine& on_line = {}) {
  Said said;
  Process process(ProcessSpec{std::move(command), environment, {}});
  constexpr std::size_t kept = std::size_t{1} << 20;
  while (process.pump(std::chrono::milliseconds(250), [&](std::string_view line) {
    said.output.append(line).push_back('\n');
    if (on_line) on_line(std::string(line));
    if (said.output.size() > kept) said.output.erase(0, said.output.size() - kept);  // errors stand at the end
  }))
    if (stop) process.terminate();
  if (stop) throw CommandError(130, "stopped while the baseline was built; the next gate goes on with it");
  const ProcessResult& ended = process.ended();
  said.started = ended.started;
  said.succeeded = ended.started && ended.code == 0 && ended.signal == 0;
  if (!said.succeeded) said.output += ended.stderr_tail;
  return said;
}

std::string last_lines(const std::string& text, std::size_t most = 1200) {
  std::string tail(
      trimmed(text.size() > most ? std::string_view(text).substr(text.size() - most) : std::string_view(text)));
  return tail.empty() ? "(no message)" : tail;
}

/// Passes on ninja's steps: "[12/300] Building CXX object …", as NINJA_STATUS below formats them.
OnLine ninja_steps(const BuildListener& listener) {
  return [&listener](const std::string& line) {
    int done = 0, total = 0, length = 0;
    if (std::sscanf(line.c_str(), "[%d/%d] %n", &done, &total, &length) == 2 && length > 0)
      listener.progress(done, total, line.substr(static_cast<std::size_t>(length)));
  };
}

std::string resolve(const fs::path& root, const std::string& reference) {
  const Said inside = tell({"git", "-C", root.string(), "rev-parse", "--git-dir"});
  if (!inside.started) throw CommandError(5, "git cannot be started; a gate against a commit needs it");
  if (!inside.succeeded)
    throw CommandError(4, root.string() + " is no git checkout, so that '" + reference +
                              "' cannot be built; --baseline PROGRAM needs none");
  const Said said = tell(
      {"git", "-C", root.string(), "rev-parse", "--verify", "--quiet", "--end-of-options", reference + "^{commit}"});
  if (!said.succeeded)
    throw CommandError(4, "the baseline '" + reference +
                              "' does not exist here: git knows no such commit (git fetch, or a deeper clone?)");
  return std::string(trimmed(said.output));
}

/// The worktree uses this checkout's packages, so both must want the same ones.
void check_requirements(const fs::path& root, const std::string& reference, const std::string& commit) {
  const Said theirs = tell({"git", "-C", root.string(), "show", commit + ":requirements.txt"});
  if (!theirs.succeeded)
    throw CommandError(
        4, "the baseline '" + reference + "' has no requirements.txt: it is older than the build that this gate knows");
  const std::string ours = read_text(root / "requirements.txt").value_or("");
  if (trimmed(theirs.output) != trimmed(ours))
    throw CommandError(
        4, "the baseline '" + reference +
               "' asks for other packages (requirements.txt differs), so that it cannot share this checkout's .deps; "
               "build it in a clone of its own and give its program: --baseline CLONE/build/release/assay");
}

/// The mark says that the checkout is whole. Without it, an interrupted checkout looks like a commit that does not
/// build.
void make_worktree(const fs::path& root, const fs::path& tree, const std::string& commit) {
  const fs::path whole = tree / ".deps/whole";
  if (read_text(whole) == commit) return;
  fs::remove_all(tree);
  tell({"git", "-C", root.string(), "worktree", "prune"});
  fs::create_directories(tree.parent_path());
  const Said said = tell({"git", "-C", root.string(), "worktree", "add", "--force", "--detach", tree.string(), commit});
  if (!said.succeeded)
    throw CommandError(4, "no worktree of " + commit + " in " + tree.string() + ": " + last_lines(said.output));
  fs::create_directories(whole.parent_path());
  write_atomically(whole, commit);
}

}  // namespace

BuiltBaseline build_baseline(const fs::path& root, const std::string& reference, const BuildListener& listener,
                             const std::atomic<bool>& stop) {
  const std::string commit = resolve(root, reference);
  const fs::path tree = root / ".deps/worktrees" / commit, built = tree / ".deps/built",
                 program = tree / "build/release/assay";
  check_requirements(root, reference, commit);  // also of an earlier build, which loads this checkout's packages
  if (read_text(built) == commit && fs::is_regular_file(program)) return {commit, program, true};
  make_worktree(root, tree, commit);
  if (fs::exists(root / ".deps/python") && !fs::exists(tree / ".deps/python"))
    fs::create_symlink(fs::canonical(root / ".deps/python"), tree / ".deps/python");
  listener.say("building " + reference + " (" + commit.substr(0, 12) + ") in " + tree.string());
  // Lets ccache reuse objects of an equal source in another folder.
  const std::map<std::string, std::string> environment{
      {"CCACHE_BASEDIR", tree.string()}, {"CCACHE_NOHASHDIR", "1"}, {"NINJA_STATUS", "[%f/%t] "}};
  const std::string build = (tree / "build/release").string();
  const Said configured = tell({"cmake", "-S", tree.string(), "--preset", "release"}, environment, stop);
  if (!configured.started) throw CommandError(5, "cmake cannot be started; ./assay installs it");
  if (!configured.succeeded)
    throw CommandError(4, "the baseline '" + reference + "' cannot be configured: " + last_lines(configured.output));
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  const Said made =
      tell({"ninja", "-C", build, "-j", std::to_string(jobs), "assay"}, environment, stop, ninja_steps(listener));
  if (!made.succeeded || !fs::is_regular_file(program))
    throw CommandError(4, "the baseline '" + reference + "' does not build: " + last_lines(made.output));
  write_atomically(built, commit);
  return {commit, program, false};
}

fs::path install_sides(const fs::path& folder, const fs::path& baseline, const fs::path& candidate) {
  for (const auto& [name, program] : {std::pair{"base", baseline}, {"null", baseline}, {"cand", candidate}}) {
    const fs::path to = folder / name / "assay", beside = folder / name / "assay.new";
    fs::create_directories(to.parent_path());
    fs::copy_file(program, beside, fs::copy_options::overwrite_existing);
    fs::rename(beside, to);  // an old copy may still be running somewhere
  }
  return folder;
}

}  // namespace assay::harness

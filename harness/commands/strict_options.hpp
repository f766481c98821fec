#pragma once

namespace CLI {
class App;
}

namespace assay::harness {

/// Of the app and its subcommands: every option and word refuses an empty text (an unset variable of a script must not
/// stand for another thing than the one meant), and an option takes one word (a list has commas, or the option comes
/// again), so that the words after it are the command's own: `run --off engine.onednn tracing` names a scenario and not
/// a second control.
void make_options_strict(CLI::App& app);

}  // namespace assay::harness

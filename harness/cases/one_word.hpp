#pragma once

namespace CLI {
class App;
}

namespace assay::harness {

/// An option of the app and its subcommands takes one word (a list has commas, or the option comes again): the words
/// after it are the command's own. `run --off engine.onednn tracing` names a scenario and not a second control.
void give_each_option_one_word(CLI::App& app);

}  // namespace assay::harness

#pragma once

namespace CLI {
class App;
}

namespace assay::harness {

/// Makes the options of the app and its subcommands strict. They refuse an empty text, since an unset variable of a
/// script must not stand for a default. They take one word each; a list has commas. In `run --off engine.onednn
/// tracing` the last word is therefore a scenario and not a second control.
void make_options_strict(CLI::App& app);

}  // namespace assay::harness

#pragma once

namespace CLI {
class App;
}

namespace assay::harness {

/// Every option and word of the app and its subcommands refuses an empty text: an unset variable of a script must not
/// stand for another thing than the one meant.
void refuse_empty_texts(CLI::App& app);

}  // namespace assay::harness

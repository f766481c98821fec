#pragma once

namespace assay::harness {

/// Gives each of the descriptors 0 to 2 that is closed one that refuses everything, so that no file opened later gets
/// its number, and with it what is printed.
void keep_standard_descriptors();

/// The exit code of a command that returned `code`: 5 in place of 0, with a line on standard error, where not all of
/// what it printed was written; 141 (as by SIGPIPE) and no word where its reader went away.
int code_of_output(int code);

}  // namespace assay::harness

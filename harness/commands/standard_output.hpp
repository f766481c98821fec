#pragma once

namespace assay::harness {

/// Opens each of the descriptors 0 to 2 that is closed, in a mode that refuses all input or output. Otherwise a file
/// that is opened later would get its number, and with it what the command prints.
void keep_standard_descriptors();

/// The exit code of a command that returned `code`. If not all of its output could be written, prints a line on
/// standard error and returns 5 instead of 0. If the reader of the output went away, returns 141, as SIGPIPE would,
/// silently.
int code_of_output(int code);

}  // namespace assay::harness

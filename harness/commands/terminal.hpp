#pragma once

namespace assay::harness {

/// What the terminal behind a stream can show. Colour needs a terminal, no NO_COLOR in the environment and a TERM other
/// than "dumb".
struct Terminal {
  bool interactive = false;  // bars may be redrawn
  bool colour = false;
  int width = 100;  // columns
};
/// Of the given file descriptor: 1 or 2.
Terminal terminal(int descriptor);

}  // namespace assay::harness

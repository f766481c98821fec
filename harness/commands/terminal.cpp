#include "harness/commands/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace assay::harness {

Terminal terminal(int descriptor) {
  Terminal result;
  const char* term = std::getenv("TERM");
  result.interactive = isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
  const char* no_colour = std::getenv("NO_COLOR");
  result.colour = result.interactive && (no_colour == nullptr || *no_colour == '\0');
  winsize size{};
  if (result.interactive && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) result.width = size.ws_col;
  return result;
}

}  // namespace assay::harness

#include "harness/commands/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace assay::harness {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  char text[64];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%ld s", whole);
  } else {
    std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
  }
  return text;
}

std::string progress_line(int done, int total, const std::string& current, std::optional<double> seconds_left,
                          int width) {
  constexpr int bar = 24;
  const int filled = total > 0 ? bar * done / total : 0;
  std::string line = "[" + std::string(static_cast<std::size_t>(filled), '=') + (filled < bar ? ">" : "") +
                     std::string(static_cast<std::size_t>(std::max(0, bar - filled - 1)), ' ') + "] " +
                     std::to_string(done) + "/" + std::to_string(total) + "  ";
  const std::string left = seconds_left ? "  " + duration_text(*seconds_left) + " left" : "";
  const auto room = std::max<int>(0, width - 1 - static_cast<int>(line.size() + left.size()));
  line +=
      current.size() <= static_cast<std::size_t>(room) ? current : current.substr(0, static_cast<std::size_t>(room));
  return line + left;
}

void ProgressBar::show(int done, int total, const std::string& current, std::optional<double> seconds_left) {
  if (terminal_.interactive) {
    std::fprintf(stderr, "\r\033[K%s", progress_line(done, total, current, seconds_left, terminal_.width).c_str());
    std::fflush(stderr);
    drawn_ = true;
    return;
  }
  const int tenth = total > 0 ? 10 * done / total : 0;
  if (tenth == last_tenth_) return;
  last_tenth_ = tenth;
  std::fprintf(stderr, "%d/%d  %s%s\n", done, total, current.c_str(),
               seconds_left ? ("  " + duration_text(*seconds_left) + " left").c_str() : "");
}

void ProgressBar::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

ProgressBar::~ProgressBar() { clear(); }

}  // namespace assay::harness

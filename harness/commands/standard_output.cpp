#include "harness/commands/standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "harness/commands/commands.hpp"

namespace assay::harness {
namespace {

constexpr int reader_gone = 128 + 13;  // what a shell gives for SIGPIPE

bool has_no_reader(int descriptor) {
  pollfd asked{descriptor, POLLOUT, 0};
  return poll(&asked, 1, 0) == 1 && (asked.revents & POLLERR) != 0;
}

}  // namespace

void keep_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0) {
      const int refusing = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      if (refusing >= 0 && refusing != descriptor) close(refusing);  // open gives the lowest number, so it fits
    }
}

int code_of_output(int code) {
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return code;
  if (has_no_reader(STDOUT_FILENO)) return code == exit_ok ? reader_gone : code;
  std::cerr << "assay: not all of the output could be written to standard output (a full disk, a closed descriptor?)\n";
  return code == exit_ok ? exit_environment : code;
}

}  // namespace assay::harness

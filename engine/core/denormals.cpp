#include "engine/core/denormals.hpp"

#include <filesystem>
#include <system_error>

#include "engine/core/threads.hpp"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace assay::engine {

#ifdef __SSE2__

namespace {
constexpr unsigned flush_bits = 0x8040;  // FTZ (bit 15) and DAZ (bit 6) of MXCSR

/// Whether a team may exist already; where the system does not say, one may.
bool has_other_threads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error || std::distance(begin(tasks), end(tasks)) > 1;
}
}  // namespace

bool denormals_switchable() { return true; }

void set_flush_denormals(bool flush, int threads) {
  // A thread begins with the mode of the one that starts it. So a process without a team needs none made for this:
  // under OMP_WAIT_POLICY=ACTIVE it would spin from then on, on the cores that the threads of a data pipeline want.
  parallel_parts(has_other_threads() ? threads : 1, [&](int) {
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(flush ? mode | flush_bits : mode & ~flush_bits);
  });
}

bool flushes_denormals() { return (_mm_getcsr() & flush_bits) == flush_bits; }

#else

bool denormals_switchable() { return false; }

void set_flush_denormals(bool, int) {}

bool flushes_denormals() { return false; }

#endif

}  // namespace assay::engine

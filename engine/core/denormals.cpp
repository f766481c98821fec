#include "engine/core/denormals.hpp"

#include "engine/core/threads.hpp"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace assay::engine {

#ifdef __SSE2__

namespace {
constexpr unsigned flush_bits = 0x8040;  // FTZ (bit 15) and DAZ (bit 6) of MXCSR
}

bool denormals_switchable() { return true; }

void set_flush_denormals(bool flush, int threads) {
  parallel_parts(threads, [&](int) {
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

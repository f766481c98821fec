#include "scenarios/machine/clock.hpp"

namespace assay::scenarios::machine {
namespace {

// 64 dependent additions. In assembly, since a compiler turns them into a multiplication, and without optimization into
// loads and stores. Register to register: recent cores do an addition of a constant while renaming, in no time.
inline std::uint64_t block(std::uint64_t x, std::uint64_t step) {
#if defined(__x86_64__)
  asm volatile(".rept 64\n\taddq %[step], %[x]\n\t.endr" : [x] "+r"(x) : [step] "r"(step) : "cc");
#elif defined(__aarch64__)
  asm volatile(".rept 64\n\tadd %[x], %[x], %[step]\n\t.endr" : [x] "+r"(x) : [step] "r"(step));
#else
  for (std::int64_t i = 0; i < add_chain_block; ++i) {
    x += step;
    asm volatile("" : "+r"(x));
  }
#endif
  return x;
}

}  // namespace

std::uint64_t add_chain(std::int64_t steps, std::uint64_t start, std::uint64_t step) {
  for (std::int64_t done = 0; done < steps; done += add_chain_block) start = block(start, step);
  return start;
}

}  // namespace assay::scenarios::machine

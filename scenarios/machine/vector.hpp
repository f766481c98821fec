#pragma once
#include <cstddef>

namespace assay::scenarios::machine {

/// Bytes of the widest vector register that the compiler was told to use (-march).
#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

/// Vector registers of the instruction set.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int vector_registers = 32;
#else
constexpr int vector_registers = 16;
#endif

/// float32 values of one register, as GCC's and Clang's vector extension has them.
using Vector = float __attribute__((vector_size(vector_bytes)));
constexpr std::size_t lanes = vector_bytes / sizeof(float);

/// The same value in every lane.
inline Vector filled(float value) { return value - Vector{}; }

/// Tells the compiler that memory may have been read and written here, so that it keeps what comes before and after.
inline void memory_barrier_for_compiler() { asm volatile("" ::: "memory"); }

}  // namespace assay::scenarios::machine

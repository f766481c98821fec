#pragma once
#include <cstdint>

#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {

/// Independent chains of the loop: more than latency (4 cycles) times units (2, or 4 of an Arm core), and with the two
/// factors still inside the registers.
constexpr int chains = vector_registers >= 32 ? 24 : 12;

/// Runs x = x * a + b `steps` times on `chains` vector registers of float32, started with 0, 1, 2, … over all lanes,
/// and returns the sum of all lanes. Touches no memory inside the loop.
float multiply_add(std::int64_t steps, float a, float b);

/// What it must return: a^n x0 + b (1 - a^n) / (1 - a) summed over all starts, in float64; a is not 1.
double multiply_add_closed_form(std::int64_t steps, double a, double b);

/// Floating-point operations of one call; a multiply-add counts two.
double multiply_add_flops(std::int64_t steps);

/// Whether the loop's multiply and add are one instruction here (a single rounding shows it).
bool multiply_add_is_fused();

}  // namespace assay::scenarios::machine

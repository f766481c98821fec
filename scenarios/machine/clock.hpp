#pragma once
#include <cstdint>

namespace assay::scenarios::machine {

/// Adds `step` to `start` `steps` times, each addition waiting for the one before: one clock cycle each on every CPU
/// that we know. Rounded up to whole blocks of add_chain_block; returns start + step * (additions done).
std::uint64_t add_chain(std::int64_t steps, std::uint64_t start, std::uint64_t step);
constexpr std::int64_t add_chain_block = 64;

}  // namespace assay::scenarios::machine

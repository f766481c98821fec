#pragma once
#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// Op::fused_elementwise and Op::batch_tiles. Each operation of the group runs on the back end that would have run it
/// alone, on one thread, a block of rows after the other, so that what one operation hands to the next stays in the
/// core's cache. Threads share the blocks. Throws Unsupported where an operation has no kernel.
Prepared prepare_group(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                       const Target& target, const Backend* only);

/// The block size in rows for operations that touch that many bytes a row: what fits half of a core's second-level
/// cache, the same for every number of threads.
std::int64_t rows_a_block(std::int64_t rows, double bytes_a_row);

}  // namespace assay::engine

// Groups of operations that run as one. Passes make these nodes after types and gradients are known; nobody writes them
// by hand.
#include <stdexcept>

#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes&, std::span<const TensorType>) {
  throw std::logic_error("a group is made by a pass, which knows its types");
}

constexpr OpInfo table[] = {{Op::fused_elementwise, infer}, {Op::batch_tiles, infer}};

}  // namespace

std::span<const OpInfo> rows::fused() { return table; }

}  // namespace assay::engine

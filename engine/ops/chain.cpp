// What element-wise operations become under engine.fuse_elementwise. The pass makes these nodes after types and
// gradients are known; nobody writes them by hand.
#include <stdexcept>

#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes&, std::span<const TensorType>) {
  throw std::logic_error("chain: made by a pass, which knows its types");
}

constexpr OpInfo table[] = {{Op::chain, infer, nullptr, {0, -1, -1}}};

}  // namespace

std::span<const OpInfo> rows::chain() { return table; }

}  // namespace assay::engine

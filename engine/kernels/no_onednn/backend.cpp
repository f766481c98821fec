#include "engine/kernels/backend.hpp"

namespace assay::engine {
namespace {

class NoOnednn final : public Backend {
 public:
  std::string_view name() const override { return "onednn"; }
  Prepared prepare(const Operation&, std::span<const TensorType>, std::span<const TensorType>,
                   const Target&) const override {
    throw Unsupported("onednn: this build has no oneDNN");
  }
};

}  // namespace

const Backend& onednn_backend() {
  static const NoOnednn backend;
  return backend;
}

}  // namespace assay::engine

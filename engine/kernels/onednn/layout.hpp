#pragma once
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/core/tensor_type.hpp"

namespace assay::engine::onednn {

/// A layout of oneDNN's, with the descriptor that the same tensor has in plain layout (oneDNN names axes in its own
/// order).
class PackedLayout final : public OpaqueLayout {
 public:
  PackedLayout(dnnl::memory::desc packed, dnnl::memory::desc plain);

  std::size_t bytes() const override { return packed_.get_size(); }
  bool equals(const OpaqueLayout& other) const override;

  const dnnl::memory::desc& packed() const { return packed_; }
  const dnnl::memory::desc& plain() const { return plain_; }

 private:
  dnnl::memory::desc packed_, plain_;
};

/// The layout behind an opaque type; throws Unsupported where it is another back end's.
const PackedLayout& packed_layout(const TensorType& type);

/// What to ask of oneDNN for a tensor whose plain descriptor is `plain`: that, its packed layout, or `any`.
dnnl::memory::desc requested(const TensorType& type, const dnnl::memory::desc& plain);
dnnl::memory::desc any_layout(const dnnl::memory::desc& plain);

/// The type with the layout that oneDNN chose; plain where it chose that.
TensorType with_layout(const TensorType& type, const dnnl::memory::desc& chosen, const dnnl::memory::desc& plain);

/// Throws Unsupported for what oneDNN 3.2 cannot hold (float64 on CPU computes nothing, int64).
dnnl::memory::data_type data_type(DType dtype);

}  // namespace assay::engine::onednn

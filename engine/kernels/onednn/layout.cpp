#include "engine/kernels/onednn/layout.hpp"

#include "engine/kernels/backend.hpp"

namespace assay::engine::onednn {

PackedLayout::PackedLayout(dnnl::memory::desc packed, dnnl::memory::desc plain)
    : packed_(std::move(packed)), plain_(std::move(plain)) {}

bool PackedLayout::equals(const OpaqueLayout& other) const {
  const auto* packed = dynamic_cast<const PackedLayout*>(&other);
  return packed != nullptr && packed->packed_ == packed_;
}

const PackedLayout& packed_layout(const TensorType& type) {
  const auto* packed = dynamic_cast<const PackedLayout*>(type.layout.opaque.get());
  if (packed == nullptr) throw Unsupported("a tensor has another back end's layout; reorder it first");
  return *packed;
}

dnnl::memory::desc any_layout(const dnnl::memory::desc& plain) {
  return {plain.get_dims(), plain.get_data_type(), dnnl::memory::format_tag::any};
}

dnnl::memory::desc requested(const TensorType& type, const dnnl::memory::desc& plain) {
  if (type.layout.kind == Layout::Kind::plain) return plain;
  if (type.layout.kind == Layout::Kind::any) return any_layout(plain);
  const PackedLayout& layout = packed_layout(type);
  if (layout.plain() != plain) throw Unsupported("a packed tensor was packed for another kind of operation");
  return layout.packed();
}

TensorType with_layout(const TensorType& type, const dnnl::memory::desc& chosen, const dnnl::memory::desc& plain) {
  TensorType answered = type;
  answered.layout = {};
  if (chosen != plain) answered.layout = {Layout::Kind::opaque, std::make_shared<const PackedLayout>(chosen, plain)};
  return answered;
}

dnnl::memory::data_type data_type(DType dtype) {
  using Type = dnnl::memory::data_type;
  switch (dtype) {
    case DType::float32:
      return Type::f32;
    case DType::bfloat16:
      return Type::bf16;
    case DType::float16:
      return Type::f16;
    case DType::int8:
      return Type::s8;
    case DType::uint8:
      return Type::u8;
    case DType::int32:
      return Type::s32;
    case DType::float64:
    case DType::int64:
    case DType::float8_e4m3:
    case DType::float8_e5m2:
      break;
  }
  throw Unsupported("oneDNN computes nothing in " + std::string(name(dtype)) + " on a CPU");
}

}  // namespace assay::engine::onednn

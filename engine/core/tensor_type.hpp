#pragma once
#include <cstddef>
#include <memory>

#include "engine/core/dtype.hpp"
#include "engine/core/shape.hpp"

namespace assay::engine {

/// A memory layout that only its back end understands (a blocked weight layout of oneDNN, say).
class OpaqueLayout {
 public:
  virtual ~OpaqueLayout() = default;
  virtual std::size_t bytes() const = 0;
  virtual bool equals(const OpaqueLayout& other) const = 0;
};

/// plain: row-major and dense. any: the back end may choose (only asked of prepare()). opaque: what it chose.
struct Layout {
  enum class Kind : std::uint8_t { plain, any, opaque };
  Kind kind = Kind::plain;
  std::shared_ptr<const OpaqueLayout> opaque{};

  bool operator==(const Layout& other) const {
    return kind == other.kind && (opaque == other.opaque || (opaque && other.opaque && opaque->equals(*other.opaque)));
  }
};

/// What is known of a tensor before it has values.
struct TensorType {
  DType dtype = DType::float32;
  Shape shape{};
  Layout layout{};

  /// Bytes of storage, padding of an opaque layout included.
  std::size_t bytes() const {
    return layout.opaque ? layout.opaque->bytes() : static_cast<std::size_t>(shape.elements()) * size_of(dtype);
  }
  bool operator==(const TensorType&) const = default;
};

/// Where a kernel finds a tensor: 64-byte aligned bytes of the type it was prepared for. Owns nothing.
struct View {
  std::byte* data = nullptr;
  const TensorType* type = nullptr;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
};

}  // namespace assay::engine

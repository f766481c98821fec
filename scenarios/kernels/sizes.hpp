#pragma once
#include <string>
#include <vector>

#include "engine/ops/op_info.hpp"
#include "scenarios/kernels/operations.hpp"

namespace assay::scenarios::kernels {

/// What an input holds, so that the operation has real work: drawn by place, the same in every run.
enum class Content : std::uint8_t {
  normal,    // standard normals
  positive,  // uniform in [0.5, 1.5)
  label,     // 0, 7, 14, … modulo the classes
  key,       // a seed and a counter
  mask,      // 0 or 1
  offset,    // places of maxima, one inside each window
  step,      // 3
  one,       // 1
  rate       // 0.001
};

struct Input {
  engine::Shape shape;
  Content content = Content::normal;
  engine::DType dtype = engine::DType::float32;

  engine::TensorType type() const { return {dtype, shape, {}}; }
};

/// One operation on one size.
struct Size {
  engine::Op op;
  std::string label;  // "128x784x128"
  engine::Attributes attributes;
  std::vector<Input> in;
  bool packed = false;  // weights in the layout that the back end chose for the forward pass (engine.prepack)

  /// "matmul/128x784x128".
  std::string name() const { return std::string(engine::name(op)) + "/" + label; }
  /// Types of inputs and outputs, all plain.
  std::vector<engine::TensorType> in_types() const;
  std::vector<engine::TensorType> out_types() const;
  /// Floating-point operations of one run, counted as the table of operations says.
  double flops() const;
};

/// All sizes of all operations: those of the models (engine/nn/models.cpp) at batch 1 and 128, a large product, and
/// element-wise ones that fit in half of an L1 cache, of an L2 cache, and in no L2 cache.
const std::vector<Size>& sizes();
/// Those of one family.
std::vector<Size> sizes_of(Family family);

}  // namespace assay::scenarios::kernels

#pragma once
#include <span>

#include "engine/ops/op_info.hpp"

// The rows of the table, one list a file; table.cpp puts them together.
namespace assay::engine::rows {

std::span<const OpInfo> matmul();
std::span<const OpInfo> inner_product();
std::span<const OpInfo> convolution();
std::span<const OpInfo> bias();
std::span<const OpInfo> relu();
std::span<const OpInfo> pooling();
std::span<const OpInfo> dropout();
std::span<const OpInfo> softmax();
std::span<const OpInfo> cross_entropy();
std::span<const OpInfo> reduction();
std::span<const OpInfo> shape();
std::span<const OpInfo> arithmetic();
std::span<const OpInfo> unary();
std::span<const OpInfo> cast();
std::span<const OpInfo> precision();
std::span<const OpInfo> update();
std::span<const OpInfo> fused();

}  // namespace assay::engine::rows

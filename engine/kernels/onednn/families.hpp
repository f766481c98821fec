#pragma once
#include "engine/kernels/request.hpp"

// The oneDNN back end: what costs time in matrix work. Element-wise work stays with Eigen, whose loops need no memory
// objects.
namespace assay::engine::onednn {

Prepared prepare_matmul(const Request& request);
Prepared prepare_inner_product(const Request& request);
Prepared prepare_inner_product_data(const Request& request);
Prepared prepare_inner_product_weights(const Request& request);
Prepared prepare_conv2d(const Request& request);
Prepared prepare_conv2d_data(const Request& request);
Prepared prepare_conv2d_weights(const Request& request);
Prepared prepare_reorder(const Request& request);
/// From a plain tensor into a packed one.
Prepared prepare_cast(const Request& request);

}  // namespace assay::engine::onednn

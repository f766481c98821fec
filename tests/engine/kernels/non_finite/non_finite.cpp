#include "tests/engine/kernels/non_finite/non_finite.hpp"

#include <algorithm>
#include <array>

#include "engine/controls/library.hpp"

namespace assay::engine::testing {

std::vector<const Backend*> all_backends() {
  return {&reference_backend(), &eigen_backend(), &onednn_backend(), nullptr};
}

namespace {

/// oneDNN's bfloat16 kernels multiply neighbouring terms in pairs. The zero that fills up the last pair meets a term of
/// the next row, and 0 times infinity is NaN (docs/nan_and_infinity.md).
bool multiplies_pairs(const Operation& operation, const Backend* backend, DType dtype) {
  constexpr std::array products{Op::inner_product, Op::inner_product_data, Op::inner_product_weights,
                                Op::conv2d,        Op::conv2d_data,        Op::conv2d_weights};
  const bool onednn = backend == &onednn_backend() || (backend == nullptr && onednn_present());
  return onednn && dtype == DType::bfloat16 &&
         std::find(products.begin(), products.end(), operation.op) != products.end();
}

}  // namespace

void check_everywhere(const Operation& operation, const std::vector<Values>& in, const std::vector<Values>& expected,
                      const std::string& what) {
  std::vector<TensorType> out;
  for (const Values& tensor : expected) out.push_back(tensor.type);
  for (const Backend* backend : all_backends()) {
    for (const int threads : {1, 2}) {
      INFO(name(operation.op) << ", " << what << ", " << (backend == nullptr ? "dispatch" : backend->name()) << ", "
                              << threads << " threads");
      OperationResult found;
      try {
        found = run_operation(operation, in, out, backend, threads);
      } catch (const Unsupported&) {
        // Eigen leaves some shapes to the reference and oneDNN most operations to Eigen; nothing else may decline.
        CHECK((backend == &eigen_backend() || backend == &onednn_backend()));
        continue;
      }
      const bool may_spread = multiplies_pairs(operation, backend, in[0].type.dtype);
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(disagreements(found.out[i], expected[i], may_spread) == 0);
    }
  }
}

}  // namespace assay::engine::testing

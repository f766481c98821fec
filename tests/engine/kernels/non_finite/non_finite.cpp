#include "tests/engine/kernels/non_finite/non_finite.hpp"

namespace assay::engine::testing {

std::vector<const Backend*> all_backends() {
  return {&reference_backend(), &eigen_backend(), &onednn_backend(), nullptr};
}

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
      for (std::size_t i = 0; i < expected.size(); ++i) CHECK(disagreements(found.out[i], expected[i]) == 0);
    }
  }
}

}  // namespace assay::engine::testing

#pragma once
#include <array>
#include <span>
#include <string>

#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// The arguments of Backend::prepare() as one value, for the functions that prepare one family of operations.
struct Request {
  const Operation& operation;
  std::span<const TensorType> in;
  std::span<const TensorType> out;
  const Target& target;

  const Attributes& attributes() const { return operation.attributes; }
};

/// A back end is a table of these, one an operation; null where it has none.
using PrepareFunction = Prepared (*)(const Request&);
using PrepareTable = std::array<PrepareFunction, op_count>;

/// Looks the operation up; throws Unsupported "eigen: no reorder" where the table has none.
Prepared prepare_from(const PrepareTable& table, std::string_view backend, const Request& request);

/// Throws Unsupported unless the request has that many inputs and outputs.
void require_count(const Request& request, std::size_t in, std::size_t out);
/// Throws Unsupported unless the type is float32 or float64.
void require_float(const TensorType& type);
/// Throws Unsupported, with both shapes, where `found` is not `expected`.
void require_shape(std::string_view what, const Shape& expected, const Shape& found);

/// A kernel that is a function of its buffers.
template <class Run>
class FunctionKernel final : public Kernel {
 public:
  explicit FunctionKernel(Run run) : run_(std::move(run)) {}
  void run(std::span<const View> in, std::span<const View> out, Context& context) const override {
    run_(in, out, context);
  }

 private:
  Run run_;
};

/// A plain-layout answer: types as requested with `any` made plain, bytes from the types, compute type from the first
/// floating input. Throws Unsupported where a type has an opaque layout.
Prepared plain_answer(const Request& request, std::string_view backend, double flops, int threads = 1,
                      std::size_t workspace = 0);

/// The same with the kernel put in.
template <class Run>
Prepared answer(const Request& request, std::string_view backend, double flops, int threads, std::size_t workspace,
                Run run) {
  Prepared prepared = plain_answer(request, backend, flops, threads, workspace);
  prepared.kernel = std::make_shared<const FunctionKernel<Run>>(std::move(run));
  return prepared;
}

/// Calls visit(T{}) with float or double.
template <class Visit>
Prepared visit_float(const TensorType& type, Visit&& visit) {
  require_float(type);
  return type.dtype == DType::float64 ? visit(double{}) : visit(float{});
}

}  // namespace assay::engine

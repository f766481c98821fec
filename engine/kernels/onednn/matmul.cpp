#include "engine/kernels/onednn/assembly.hpp"
#include "engine/kernels/onednn/families.hpp"
#include "engine/kernels/products.hpp"

namespace assay::engine::onednn {
namespace {

using From = Binding::From;

/// The types that a product may have; more than float32 so that rates by type can be measured.
struct ProductTypes {
  DType factors, result;
};
constexpr ProductTypes supported[] = {
    {DType::float32, DType::float32}, {DType::bfloat16, DType::float32}, {DType::bfloat16, DType::bfloat16},
    {DType::float16, DType::float32}, {DType::float16, DType::float16},  {DType::int8, DType::int32},
};

void require_supported(const Request& request) {
  const DType left = request.in[0].dtype;
  const DType right = request.in[1].dtype;
  const DType result = request.out[0].dtype;
  for (const ProductTypes& types : supported) {
    if (left == types.factors && right == types.factors && result == types.result) return require_native(left);
  }
  throw Unsupported("no product of " + std::string(name(left)) + " and " + std::string(name(right)) + " to " +
                    std::string(name(result)) + " on a CPU");
}

}  // namespace

Prepared prepare_matmul(const Request& request) {
  const Product p = product(request);
  const Epilogue finish = epilogue(request);
  require_supported(request);
  if (p.m == 0 || p.n == 0 || p.k == 0) throw Unsupported("a tensor without elements");
  const int threads = team_for(request, p.flops());
  using desc = dnnl::memory::desc;
  const auto type = data_type(request.in[0].dtype);
  const desc left({p.m, p.k}, type, p.transpose_left ? dnnl::memory::dims{1, p.m} : dnnl::memory::dims{p.k, 1});
  const desc right({p.k, p.n}, type, p.transpose_right ? dnnl::memory::dims{1, p.k} : dnnl::memory::dims{p.n, 1});
  const desc result({p.m, p.n}, data_type(request.out[0].dtype), dnnl::memory::dims{p.n, 1});
  const desc bias = finish.bias ? desc({1, p.n}, result.get_data_type(), dnnl::memory::dims{p.n, 1}) : desc();
  return assemble(request,
                  best_of(false,
                          [&](bool exact) -> Assembly {
                            const dnnl::matmul::primitive_desc description(
                                cpu(), left, exact ? requested(request.in[1], right) : any_layout(right), bias, result,
                                user_scratchpad());
                            return with_bias({description.impl_info_str(),
                                              dnnl::matmul(description),
                                              description.scratchpad_desc(),
                                              {{DNNL_ARG_SRC, From::input, 0, left, left},
                                               {DNNL_ARG_WEIGHTS, From::input, 1, right, description.weights_desc()},
                                               {DNNL_ARG_DST, From::output, 0, result, result}}},
                                             finish.bias, {DNNL_ARG_BIAS, From::input, 2, bias, bias});
                          }),
                  p.flops(), threads);
}

}  // namespace assay::engine::onednn

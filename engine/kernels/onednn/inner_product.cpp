#include "engine/kernels/onednn/assembly.hpp"
#include "engine/kernels/onednn/families.hpp"
#include "engine/kernels/products.hpp"

// Dense layers. The forward pass chooses the weights' layout; the two backward passes take it as it is, so that weights
// and their gradients stay packed from step to step.
namespace assay::engine::onednn {
namespace {

using From = Binding::From;
using dims = dnnl::memory::dims;
using desc = dnnl::memory::desc;

/// x [rows, in], weights [in, out] (oneDNN names them [out, in]), y [rows, out].
struct Dense {
  desc x, weights, y, bias;
  desc any_factor;  // weights as a factor, in a layout of oneDNN's choice

  /// `sums`: the weights are a gradient, in the result's type; else they are a factor.
  Dense(std::int64_t rows, std::int64_t in, std::int64_t out, const Types& types, bool sums = false,
        bool with_bias = false)
      : x({rows, in}, types.factors, dims{in, 1}),
        weights({out, in}, sums ? types.result : types.factors, dims{1, out}),
        y({rows, out}, types.factors, dims{out, 1}),
        any_factor({out, in}, types.factors, dnnl::memory::format_tag::any) {
    if (with_bias) bias = desc({out}, types.bias, dims{1});
  }

  dnnl::inner_product_forward::primitive_desc forward(const desc& layout) const {
    return {cpu(), dnnl::prop_kind::forward_training, x, layout, bias, y, user_scratchpad()};
  }
};

}  // namespace

Prepared prepare_inner_product(const Request& request) {
  const Product p = product(request);
  const Epilogue finish = epilogue(request);
  const Types types = require_types(request);
  const int threads = team_for(request, p.flops());
  const Dense dense(p.m, p.k, p.n, types, false, finish.bias);
  return assemble(
      request,
      best_of(false,
              [&](bool exact) -> Assembly {
                const auto description =
                    dense.forward(exact ? requested(request.in[1], dense.weights) : any_layout(dense.weights));
                return with_bias({description.impl_info_str(),
                                  dnnl::inner_product_forward(description),
                                  description.scratchpad_desc(),
                                  {{DNNL_ARG_SRC, From::input, 0, dense.x, dense.x},
                                   {DNNL_ARG_WEIGHTS, From::input, 1, dense.weights, description.weights_desc()},
                                   {DNNL_ARG_DST, From::output, 0, dense.y, dense.y}}},
                                 finish.bias, {DNNL_ARG_BIAS, From::input, 2, dense.bias, dense.bias});
              }),
      p.flops(), threads);
}

Prepared prepare_inner_product_data(const Request& request) {
  require_count(request, 2, 1);
  const Product p = product(request);  // dy [m,k] times w [n,k] transposed
  const Types types = require_types(request);
  const int threads = team_for(request, p.flops());
  const Dense dense(p.m, p.n, p.k, types);
  return assemble(request,
                  best_of(false,
                          [&](bool exact) -> Assembly {
                            const desc layout =
                                exact ? requested(request.in[1], dense.weights) : any_layout(dense.weights);
                            const dnnl::inner_product_backward_data::primitive_desc description(
                                cpu(), dense.x, layout, dense.y, dense.forward(dense.any_factor), user_scratchpad());
                            return {description.impl_info_str(),
                                    dnnl::inner_product_backward_data(description),
                                    description.scratchpad_desc(),
                                    {{DNNL_ARG_DIFF_DST, From::input, 0, dense.y, dense.y},
                                     {DNNL_ARG_WEIGHTS, From::input, 1, dense.weights, description.weights_desc()},
                                     {DNNL_ARG_DIFF_SRC, From::output, 0, dense.x, dense.x}}};
                          }),
                  p.flops(), threads);
}

Prepared prepare_inner_product_weights(const Request& request) {
  const bool bias = require_bias_gradient(request);
  const Product p = product(request);  // x [k,m] transposed times dy [k,n]
  const Types types = require_types(request);
  const int threads = team_for(request, p.flops());
  const Dense dense(p.k, p.m, p.n, types, true, bias);
  return assemble(
      request,
      best_of(false,
              [&](bool exact) -> Assembly {
                const desc layout = exact ? requested(request.out[0], dense.weights) : any_layout(dense.weights);
                const dnnl::inner_product_backward_weights::primitive_desc description(
                    cpu(), dense.x, layout, dense.bias, dense.y, dense.forward(dense.any_factor), user_scratchpad());
                return with_bias(
                    {description.impl_info_str(),
                     dnnl::inner_product_backward_weights(description),
                     description.scratchpad_desc(),
                     {{DNNL_ARG_SRC, From::input, 0, dense.x, dense.x},
                      {DNNL_ARG_DIFF_DST, From::input, 1, dense.y, dense.y},
                      {DNNL_ARG_DIFF_WEIGHTS, From::output, 0, dense.weights, description.diff_weights_desc()}}},
                    bias, {DNNL_ARG_DIFF_BIAS, From::output, 1, dense.bias, dense.bias});
              }),
      p.flops(), threads);
}

}  // namespace assay::engine::onednn

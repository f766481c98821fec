#include "engine/kernels/onednn/assembly.hpp"
#include "engine/kernels/onednn/families.hpp"
#include "engine/kernels/windows.hpp"

// Convolutions on NHWC images. The three passes want three layouts of the weights, so where those are asked for in
// another one (plain, or packed for the forward pass) the kernel reorders them in its workspace.
namespace assay::engine::onednn {
namespace {

using From = Binding::From;
using dims = dnnl::memory::dims;
using desc = dnnl::memory::desc;
using tag = dnnl::memory::format_tag;

struct Images {
  desc x, weights, y, bias;
  desc any_factor;  // weights as a factor, in a layout of oneDNN's choice
  dims strides, before, after;

  /// `sums`: the weights are a gradient, in the result's type; else they are a factor.
  Images(const Convolution& s, const Types& types, bool sums = false, bool with_bias = false)
      : x({s.n, s.c, s.y.in, s.x.in}, types.factors, tag::nhwc),
        weights({s.o, s.c, s.y.size, s.x.size}, sums ? types.result : types.factors, tag::hwio),
        y({s.n, s.o, s.y.out, s.x.out}, types.factors, tag::nhwc),
        any_factor({s.o, s.c, s.y.size, s.x.size}, types.factors, tag::any),
        strides{s.y.stride, s.x.stride},
        before{s.y.before, s.x.before},
        after{right_padding(s.y), right_padding(s.x)} {
    if (with_bias) bias = desc({s.o}, types.bias, dims{1});
  }

  /// oneDNN derives the result from the padding, so cells that no window reaches are padding below zero.
  static std::int64_t right_padding(const Axis& axis) {
    return (axis.out - 1) * axis.stride + axis.size - axis.in - axis.before;
  }

  dnnl::convolution_forward::primitive_desc forward(const desc& layout) const {
    return {cpu(),
            dnnl::prop_kind::forward_training,
            dnnl::algorithm::convolution_direct,
            x,
            layout,
            bias,
            y,
            strides,
            before,
            after,
            user_scratchpad()};
  }
};

/// Whether the weights are asked for plain: then oneDNN's own layout inside the kernel is tried first.
bool is_plain(const TensorType& weights) { return weights.layout.kind == Layout::Kind::plain; }

}  // namespace

Prepared prepare_conv2d(const Request& request) {
  const Epilogue finish = epilogue(request);
  const Types types = require_types(request);
  const Convolution s =
      convolution(request.attributes(), request.in[0].shape, request.in[1].shape, request.out[0].shape);
  const int threads = team_for(request, s.flops());
  const Images images(s, types, false, finish.bias);
  return assemble(
      request,
      best_of(is_plain(request.in[1]),
              [&](bool exact) -> Assembly {
                const auto description =
                    images.forward(exact ? requested(request.in[1], images.weights) : any_layout(images.weights));
                return with_bias({description.impl_info_str(),
                                  dnnl::convolution_forward(description),
                                  description.scratchpad_desc(),
                                  {{DNNL_ARG_SRC, From::input, 0, images.x, images.x},
                                   {DNNL_ARG_WEIGHTS, From::input, 1, images.weights, description.weights_desc()},
                                   {DNNL_ARG_DST, From::output, 0, images.y, images.y}}},
                                 finish.bias, {DNNL_ARG_BIAS, From::input, 2, images.bias, images.bias});
              }),
      s.flops(), threads);
}

Prepared prepare_conv2d_data(const Request& request) {
  require_count(request, 2, 1);
  const Types types = require_types(request);
  const Convolution s =
      convolution(request.attributes(), request.out[0].shape, request.in[1].shape, request.in[0].shape);
  const int threads = team_for(request, s.flops());
  const Images images(s, types);
  return assemble(request,
                  best_of(request.in[1].layout.kind != Layout::Kind::any,
                          [&](bool exact) -> Assembly {
                            const dnnl::convolution_backward_data::primitive_desc description(
                                cpu(), dnnl::algorithm::convolution_direct, images.x,
                                exact ? requested(request.in[1], images.weights) : any_layout(images.weights), images.y,
                                images.strides, images.before, images.after, images.forward(images.any_factor),
                                user_scratchpad());
                            return {description.impl_info_str(),
                                    dnnl::convolution_backward_data(description),
                                    description.scratchpad_desc(),
                                    {{DNNL_ARG_DIFF_DST, From::input, 0, images.y, images.y},
                                     {DNNL_ARG_WEIGHTS, From::input, 1, images.weights, description.weights_desc()},
                                     {DNNL_ARG_DIFF_SRC, From::output, 0, images.x, images.x}}};
                          }),
                  s.flops(), threads);
}

Prepared prepare_conv2d_weights(const Request& request) {
  const bool bias = require_bias_gradient(request);
  const Types types = require_types(request);
  const Convolution s =
      convolution(request.attributes(), request.in[0].shape, request.out[0].shape, request.in[1].shape);
  const int threads = team_for(request, s.flops());
  const Images images(s, types, true, bias);
  return assemble(
      request,
      best_of(request.out[0].layout.kind != Layout::Kind::any,
              [&](bool exact) -> Assembly {
                const dnnl::convolution_backward_weights::primitive_desc description(
                    cpu(), dnnl::algorithm::convolution_direct, images.x,
                    exact ? requested(request.out[0], images.weights) : any_layout(images.weights), images.bias,
                    images.y, images.strides, images.before, images.after, images.forward(images.any_factor),
                    user_scratchpad());
                return with_bias(
                    {description.impl_info_str(),
                     dnnl::convolution_backward_weights(description),
                     description.scratchpad_desc(),
                     {{DNNL_ARG_SRC, From::input, 0, images.x, images.x},
                      {DNNL_ARG_DIFF_DST, From::input, 1, images.y, images.y},
                      {DNNL_ARG_DIFF_WEIGHTS, From::output, 0, images.weights, description.diff_weights_desc()}}},
                    bias, {DNNL_ARG_DIFF_BIAS, From::output, 1, images.bias, images.bias});
              }),
      s.flops(), threads);
}

}  // namespace assay::engine::onednn

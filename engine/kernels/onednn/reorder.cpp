#include "engine/kernels/onednn/assembly.hpp"
#include "engine/kernels/onednn/families.hpp"

namespace assay::engine::onednn {

Prepared prepare_reorder(const Request& request) {
  require_count(request, 1, 1);
  const TensorType& from = request.in[0];
  const TensorType& to = request.out[0];
  if (from.dtype != to.dtype) throw Unsupported("a reorder keeps the dtype; cast first");
  require_shape("result", from.shape, to.shape);
  if (from.layout.kind == Layout::Kind::any || to.layout.kind == Layout::Kind::any) {
    throw Unsupported("a reorder needs both layouts");
  }
  if (!from.layout.opaque && !to.layout.opaque) throw Unsupported("both layouts are plain");
  const dnnl::memory::desc plain = packed_layout(from.layout.opaque ? from : to).plain();
  const int threads = team_for(request, static_cast<double>(from.shape.elements()) * 4);
  const auto source = requested(from, plain);
  const auto destination = requested(to, plain);
  const dnnl::reorder::primitive_desc description(cpu(), source, cpu(), destination, user_scratchpad());
  return assemble(request,
                  {"reorder:" + std::string(description.impl_info_str()),
                   dnnl::reorder(description),
                   description.scratchpad_desc(),
                   {{DNNL_ARG_FROM, Binding::From::input, 0, plain, source},
                    {DNNL_ARG_TO, Binding::From::output, 0, plain, destination}}},
                  0, threads);
}

Prepared prepare_cast(const Request& request) {
  require_count(request, 1, 1);
  const TensorType& from = request.in[0];
  const TensorType& to = request.out[0];
  require_shape("result", from.shape, to.shape);
  if (to.layout.kind != Layout::Kind::opaque) throw Unsupported("a cast to a plain layout is a loop of Eigen's");
  const PackedLayout& layout = packed_layout(to);
  if (from.layout.kind != Layout::Kind::plain) throw Unsupported("a packed tensor; reorder it first");
  const dnnl::memory::desc source(layout.plain().get_dims(), data_type(from.dtype), layout.plain().get_strides());
  const int threads = team_for(request, static_cast<double>(from.shape.elements()) * 4);
  const dnnl::reorder::primitive_desc description(cpu(), source, cpu(), layout.packed(), user_scratchpad());
  return assemble(request,
                  {"cast:" + std::string(description.impl_info_str()),
                   dnnl::reorder(description),
                   description.scratchpad_desc(),
                   {{DNNL_ARG_FROM, Binding::From::input, 0, source, source},
                    {DNNL_ARG_TO, Binding::From::output, 0, layout.plain(), layout.packed()}}},
                  0, threads);
}

}  // namespace assay::engine::onednn

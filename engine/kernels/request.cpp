#include "engine/kernels/request.hpp"

namespace assay::engine {
namespace {

Layout answered_layout(const Request& request, const TensorType& type) {
  using Kind = Layout::Kind;
  const Layout& first = request.in[0].layout;
  // Updates treat every element alike, so they run on packed parameters as they lie: padding is zero and stays zero.
  if (is_update(request.operation.op) && first.kind == Kind::opaque && type.shape == request.in[0].shape) {
    if (type.layout.kind == Kind::any || type.layout == first) return first;
    throw Unsupported("the parameter is packed and another tensor of the update is not");
  }
  if (type.layout.kind == Kind::opaque) throw Unsupported("a tensor has another back end's layout; reorder it first");
  return {};
}

}  // namespace

Prepared prepare_from(const PrepareTable& table, std::string_view backend, const Request& request) {
  const Op op = request.operation.op;
  const PrepareFunction function = table[static_cast<std::size_t>(op)];
  if (function == nullptr) throw Unsupported(std::string(backend) + ": no " + std::string(name(op)));
  try {
    return function(request);
  } catch (const Unsupported& error) {
    throw Unsupported(std::string(backend) + ": " + std::string(name(op)) + ": " + error.what());
  }
}

void require_count(const Request& request, std::size_t in, std::size_t out) {
  if (request.in.size() == in && request.out.size() == out) return;
  throw Unsupported("expected " + std::to_string(in) + " inputs and " + std::to_string(out) + " outputs, found " +
                    std::to_string(request.in.size()) + " and " + std::to_string(request.out.size()));
}

void require_float(const TensorType& type) {
  if (type.dtype == DType::float32 || type.dtype == DType::float64) return;
  throw Unsupported("no kernel computes in " + std::string(name(type.dtype)) + "; cast to float32 or float64 first");
}

void require_shape(std::string_view what, const Shape& expected, const Shape& found) {
  if (expected == found) return;
  throw Unsupported(std::string(what) + ": expected " + to_string(expected) + ", found " + to_string(found));
}

Prepared plain_answer(const Request& request, std::string_view backend, double flops, int threads,
                      std::size_t workspace) {
  Prepared prepared;
  prepared.in.assign(request.in.begin(), request.in.end());
  prepared.out.assign(request.out.begin(), request.out.end());
  double bytes = 0;
  for (auto* types : {&prepared.in, &prepared.out}) {
    for (TensorType& type : *types) {
      type.layout = answered_layout(request, type);
      bytes += static_cast<double>(type.bytes());
    }
  }
  prepared.workspace = workspace;
  prepared.info.name = std::string(backend) + ":" + std::string(name(request.operation.op));
  prepared.info.compute = request.in.empty() ? DType::float32 : request.in[0].dtype;
  prepared.info.accumulate = prepared.info.compute;
  prepared.info.threads = threads;
  prepared.info.flops = flops;
  prepared.info.bytes = bytes;
  return prepared;
}

}  // namespace assay::engine

#include "engine/kernels/onednn/assembly.hpp"

namespace assay::engine::onednn {
namespace {

std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// Hands out places in the workspace.
struct Workspace {
  std::size_t bytes = 0;

  Binding take(int argument, const dnnl::memory::desc& desc) {
    Binding binding{argument, Binding::From::workspace, bytes, desc};
    bytes += whole_lines(desc.get_size());
    return binding;
  }
};

Binding as_argument(Binding binding, int argument) {
  binding.argument = argument;
  return binding;
}

Stage reorder_stage(const Binding& from, const Binding& to, Workspace& workspace) {
  const dnnl::reorder::primitive_desc description(cpu(), from.desc, cpu(), to.desc, user_scratchpad());
  Stage stage{dnnl::reorder(description), {as_argument(from, DNNL_ARG_FROM), as_argument(to, DNNL_ARG_TO)}};
  const dnnl::memory::desc scratchpad = description.scratchpad_desc();
  if (scratchpad.get_size() > 0) stage.bindings.push_back(workspace.take(DNNL_ARG_SCRATCHPAD, scratchpad));
  return stage;
}

}  // namespace

Prepared assemble(const Request& request, Assembly assembly, double flops, int threads) {
  Prepared prepared;
  prepared.in.assign(request.in.begin(), request.in.end());
  prepared.out.assign(request.out.begin(), request.out.end());

  Workspace workspace;
  std::vector<Stage> before;
  std::vector<Stage> after;
  Stage main{std::move(assembly.primitive), {}};
  for (const Operand& operand : assembly.operands) {
    const bool input = operand.from == Binding::From::input;
    TensorType& type = (input ? prepared.in : prepared.out)[operand.index];
    if (type.layout.kind == Layout::Kind::any) type = with_layout(type, operand.used, operand.plain);
    const Binding outside{operand.argument, operand.from, operand.index, requested(type, operand.plain)};
    if (outside.desc == operand.used) {
      main.bindings.push_back(outside);
      continue;
    }
    const Binding inside = workspace.take(operand.argument, operand.used);
    main.bindings.push_back(inside);
    (input ? before : after)
        .push_back(input ? reorder_stage(outside, inside, workspace) : reorder_stage(inside, outside, workspace));
  }
  if (assembly.scratchpad.get_size() > 0) {
    main.bindings.push_back(workspace.take(DNNL_ARG_SCRATCHPAD, assembly.scratchpad));
  }

  std::vector<Stage> stages = std::move(before);
  stages.push_back(std::move(main));
  for (Stage& stage : after) stages.push_back(std::move(stage));

  prepared.workspace = workspace.bytes;
  prepared.info.name = "onednn:" + assembly.implementation;
  prepared.info.compute = request.in[0].dtype;
  prepared.info.accumulate = request.in[0].dtype == DType::int8 ? DType::int32 : DType::float32;
  prepared.info.threads = threads;
  prepared.info.flops = flops;
  for (const auto* types : {&prepared.in, &prepared.out}) {
    for (const TensorType& type : *types) prepared.info.bytes += static_cast<double>(type.bytes());
  }
  std::shared_ptr<const Kernel> relu;
  if (request.attributes().relu) {
    const auto result = std::span<const TensorType>(prepared.out).first(1);
    relu = eigen_backend().prepare({Op::relu}, result, result, request.target).kernel;
  }
  prepared.kernel = std::make_shared<const PrimitiveKernel>(std::move(stages), std::move(relu), threads);
  return prepared;
}

Assembly with_bias(Assembly assembly, bool bias, const Operand& operand) {
  if (bias) assembly.operands.push_back(operand);
  return assembly;
}

bool require_bias_gradient(const Request& request) {
  const bool bias = request.out.size() > 1;
  require_count(request, 2, bias ? 2 : 1);
  if (bias) require_shape("gradient of the bias", Shape{request.in[1].shape[-1]}, request.out[1].shape);
  return bias;
}

void require_native(DType dtype) {
  using Isa = dnnl::cpu_isa;
  const auto has = [](Isa wanted) {
    const auto all = static_cast<unsigned>(dnnl::get_effective_cpu_isa()), some = static_cast<unsigned>(wanted);
    return (all & some) == some;
  };
  if (dtype == DType::bfloat16 && !has(Isa::avx512_core_bf16) && !has(Isa::avx2_vnni_2))
    throw Unsupported("this CPU has no bfloat16 instructions");
  if (dtype == DType::float16 && !has(Isa::avx512_core_fp16)) throw Unsupported("this CPU has no float16 instructions");
}

Types require_types(const Request& request) {
  const Op op = request.operation.op;
  const bool sums = op == Op::conv2d_weights || op == Op::inner_product_weights;
  const DType factors = request.in[0].dtype;
  const auto fits = [&](DType dtype, bool result) {
    return dtype == factors || (result && sums && dtype == DType::float32);
  };
  const bool known = factors == DType::float32 || factors == DType::bfloat16 || factors == DType::float16;
  for (const auto types : {request.in, request.out}) {
    for (const TensorType& type : types) {
      if (!known || !fits(type.dtype, types.data() == request.out.data())) {
        throw Unsupported("no " + std::string(name(known ? type.dtype : factors)) + " kernel of " +
                          std::string(name(op)) + " on a CPU");
      }
      if (type.shape.elements() == 0) throw Unsupported("a tensor without elements");
    }
  }
  require_native(factors);
  const DType result = request.out[0].dtype;
  return {data_type(factors), data_type(result), data_type(request.out.size() > 1 ? request.out[1].dtype : factors)};
}

int team_for(const Request& request, double flops) {
  const int threads = threads_for(flops, request.target.threads);
  set_team_size(threads);
  return threads;
}

}  // namespace assay::engine::onednn

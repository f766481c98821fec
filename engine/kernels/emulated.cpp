#include "engine/kernels/emulated.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/core/storage.hpp"
#include "engine/core/threads.hpp"
#include "engine/kernels/convert_elements.hpp"

namespace assay::engine {
namespace {

constexpr std::size_t max_operands = 64;  // of a fused update: lists of parameters, gradients and slots

/// An operand that is kept in float32 while the kernel runs.
struct Widened {
  std::size_t index = 0;  // of the request's in or out
  TensorType narrow;
  std::size_t place = 0;  // in the workspace
};

std::size_t whole_lines(std::size_t bytes) {
  return (bytes + Storage::alignment - 1) / Storage::alignment * Storage::alignment;
}

class EmulatedKernel final : public Kernel {
 public:
  Prepared inner;
  std::vector<Widened> in, out;
  std::size_t inner_workspace = 0;  // where the inner kernel's begins
  int threads = 1;

  std::unique_ptr<KernelState> make_state() const override { return inner.kernel->make_state(); }

  void run(std::span<const View> from, std::span<const View> to, Context& context) const override {
    std::array<View, max_operands> wide_in{}, wide_out{};
    std::ranges::copy(from, wide_in.begin());
    std::ranges::copy(to, wide_out.begin());
    for (const Widened& operand : in) {
      std::byte* place = context.workspace + operand.place;
      convert_elements(from[operand.index], operand.narrow, place, DType::float32, threads);
      wide_in[operand.index] = {place, &inner.in[operand.index]};
    }
    for (const Widened& operand : out)
      wide_out[operand.index] = {context.workspace + operand.place, &inner.out[operand.index]};
    Context own{context.workspace + inner_workspace, context.state};
    inner.kernel->run({wide_in.data(), from.size()}, {wide_out.data(), to.size()}, own);
    for (const Widened& operand : out) {
      convert_elements(wide_out[operand.index], inner.out[operand.index], to[operand.index].data, operand.narrow.dtype,
                       threads);
    }
  }
};

}  // namespace

Prepared prepare_emulated(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                          const Target& target, const Backend* only) {
  auto kernel = std::make_shared<EmulatedKernel>();
  Prepared prepared;
  std::optional<DType> narrow;
  double elements = 0;
  const auto widen = [&](std::span<const TensorType> types, std::vector<Widened>& widened,
                         std::vector<TensorType>& answered) {
    std::vector<TensorType> wide;
    for (std::size_t i = 0; i < types.size(); ++i) {
      TensorType type = types[i];
      if (type.layout.kind == Layout::Kind::opaque) throw Unsupported("emulated: a packed tensor; reorder it first");
      type.layout = {};
      answered.push_back(type);
      if (is_narrow(type.dtype)) {
        narrow = narrow.value_or(type.dtype);
        widened.push_back({i, type, 0});
        elements += static_cast<double>(type.shape.elements());
        type.dtype = DType::float32;
      }
      wide.push_back(type);
    }
    return wide;
  };
  const auto wide_in = widen(in, kernel->in, prepared.in), wide_out = widen(out, kernel->out, prepared.out);
  if (!narrow) throw Unsupported("emulated: no operand of a type below float32");
  if (std::max(in.size(), out.size()) > max_operands) throw Unsupported("emulated: too many operands");
  Operation wide = operation;
  kernel->inner = prepare(wide, wide_in, wide_out, target, only);

  for (auto* widened : {&kernel->in, &kernel->out}) {
    for (Widened& operand : *widened) {
      operand.place = kernel->inner_workspace;
      kernel->inner_workspace += whole_lines(static_cast<std::size_t>(operand.narrow.shape.elements()) * sizeof(float));
    }
  }
  prepared.workspace = kernel->inner_workspace + kernel->inner.workspace;
  prepared.info = kernel->inner.info;
  prepared.info.name = "emulated " + std::string(name(*narrow)) + ":" + prepared.info.name;
  if (!prepared.info.emulated) prepared.info.format = *narrow;  // else the kernel itself emulates float8
  prepared.info.emulated = true;
  constexpr double cost_of_conversion = 4;
  kernel->threads = threads_for(elements * cost_of_conversion, target.threads);
  prepared.info.threads = std::max(prepared.info.threads, kernel->threads);
  prepared.info.bytes = 0;
  for (const auto* types : {&prepared.in, &prepared.out}) {
    for (const TensorType& type : *types) prepared.info.bytes += static_cast<double>(type.bytes());
  }
  prepared.kernel = std::move(kernel);
  return prepared;
}

}  // namespace assay::engine

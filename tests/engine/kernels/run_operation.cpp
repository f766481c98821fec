#include "tests/engine/kernels/run_operation.hpp"

#include "engine/core/convert.hpp"
#include "engine/core/random.hpp"
#include "engine/core/storage.hpp"

namespace assay::engine::testing {
namespace {

void write(const Values& tensor, std::byte* to) {
  visit_dtype(tensor.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < tensor.elements.size(); ++i)
      reinterpret_cast<T*>(to)[i] = convert<T>(tensor.elements[i]);
  });
}

Values read(const TensorType& type, const std::byte* from) {
  Values tensor{type, {}};
  visit_dtype(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < type.shape.elements(); ++i) {
      tensor.elements.push_back(convert<double>(reinterpret_cast<const T*>(from)[i]));
    }
  });
  return tensor;
}

}  // namespace

Values values(Shape shape, std::vector<double> elements, DType dtype) {
  return {{dtype, shape, {}}, std::move(elements)};
}

Values normals(Shape shape, std::uint64_t seed, DType dtype) {
  std::vector<float> drawn(static_cast<std::size_t>(shape.elements()));
  fill_normal(drawn, seed, 0);
  return as(values(shape, {drawn.begin(), drawn.end()}), dtype);
}

Values as(const Values& tensor, DType dtype) {
  Values rounded{{dtype, tensor.type.shape, {}}, tensor.elements};
  visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (double& element : rounded.elements) element = convert<double>(convert<T>(element));
  });
  return rounded;
}

struct Bench::Buffers {
  Prepared prepared;
  std::vector<Storage> storage;
  std::vector<View> in, out;
  Storage workspace;
  std::unique_ptr<KernelState> state;
  Context context;
};

Bench::Bench(const Prepared& prepared, const std::vector<Values>& in) : buffers_(std::make_unique<Buffers>()) {
  Buffers& b = *buffers_;
  b.prepared = prepared;
  const auto add = [&](const TensorType& type, std::vector<View>& views) {
    b.storage.emplace_back(std::max<std::size_t>(1, type.bytes()));
    views.push_back({b.storage.back().data(), &type});
  };
  for (const TensorType& type : b.prepared.in) add(type, b.in);
  for (const TensorType& type : b.prepared.out) add(type, b.out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (b.prepared.in[i].layout.kind == Layout::Kind::plain) write(in[i], b.in[i].data);
  }
  b.workspace = Storage(prepared.workspace);
  b.state = prepared.kernel->make_state();
  b.context = {b.workspace.data(), b.state.get()};
}

Bench::~Bench() = default;

void Bench::run() { buffers_->prepared.kernel->run(buffers_->in, buffers_->out, buffers_->context); }

Values Bench::out(std::size_t i) const { return read(buffers_->prepared.out[i], buffers_->out[i].data); }

std::byte* Bench::input(std::size_t i) { return buffers_->in[i].data; }

std::byte* Bench::output(std::size_t i) { return buffers_->out[i].data; }

OperationResult run_operation(const Operation& operation, const std::vector<Values>& in,
                              const std::vector<TensorType>& out, const Backend* backend, int threads,
                              const ControlSet& controls) {
  std::vector<TensorType> in_types;
  for (const Values& tensor : in) in_types.push_back(tensor.type);
  OperationResult result;
  result.prepared = prepare(operation, in_types, out, {Device::cpu, threads, &controls}, backend);
  Bench bench(result.prepared, in);
  bench.run();
  for (std::size_t i = 0; i < out.size(); ++i) result.out.push_back(bench.out(i));
  return result;
}

double normalised_error(const std::vector<double>& found, const std::vector<double>& expected) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += (found[i] - expected[i]) * (found[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return size > 0 ? error / size : error;
}

}  // namespace assay::engine::testing

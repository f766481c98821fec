// Packed weights: what oneDNN answers where it may choose the layout.
#include "engine/controls/library.hpp"
#include "tests/catch.hpp"
#include "tests/engine/allocation_counter.hpp"
#include "tests/engine/kernels/non_finite/non_finite.hpp"
#include "tests/engine/kernels/processor.hpp"
#include "tests/engine/kernels/run_operation.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

const ControlSet controls;

TensorType type(Shape shape, Layout layout = {}) { return {DType::float32, shape, std::move(layout)}; }

Prepared prepare_onednn(Op op, Attributes attributes, std::vector<TensorType> in, std::vector<TensorType> out,
                        int threads) {
  return prepare({op, attributes}, in, out, {Device::cpu, threads, &controls}, &onednn_backend());
}

void copy(Bench& from, Bench& to, std::size_t input, const Prepared& prepared) {
  std::copy_n(from.output(0), prepared.in[input].bytes(), to.input(input));
}

/// The tensor in another layout and back.
Values through(const Values& tensor, const Layout& layout, int threads) {
  const Prepared pack = prepare_onednn(Op::reorder, {}, {tensor.type}, {type(tensor.type.shape, layout)}, threads);
  const Prepared unpack = prepare_onednn(Op::reorder, {}, {type(tensor.type.shape, layout)}, {tensor.type}, threads);
  Bench packing(pack, {tensor});
  packing.run();
  Bench unpacking(unpack, {tensor});
  copy(packing, unpacking, 0, unpack);
  unpacking.run();
  return unpacking.out(0);
}

}  // namespace

TEST_CASE("a dense layer's three passes share the layout that the forward pass chose") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  struct Size {
    std::int64_t rows, in, out;
  };
  int compared = 0;
  for (const auto& [rows, in, out] : {Size{128, 784, 128}, Size{128, 128, 64}, Size{128, 64, 10}, Size{128, 800, 128},
                                      Size{1, 784, 128}, Size{37, 33, 17}}) {
    for (const int threads : {1, 2}) {
      INFO(rows << " rows, " << in << " to " << out << ", " << threads << " threads");
      const Values x = normals({rows, in}, 1);
      const Values w = normals({in, out}, 2);
      const Values dy = normals({rows, out}, 3);
      const TensorType any = type({in, out}, {Layout::Kind::any, nullptr});
      const Prepared forward = prepare_onednn(Op::inner_product, {}, {x.type, any}, {dy.type}, threads);
      const TensorType packed = forward.in[1];
      REQUIRE(packed.layout.kind != Layout::Kind::any);
      const Prepared data = prepare_onednn(Op::inner_product_data, {}, {dy.type, packed}, {x.type}, threads);
      const Prepared weights = prepare_onednn(Op::inner_product_weights, {}, {x.type, dy.type}, {packed}, threads);
      CHECK((data.in[1] == packed));
      CHECK((weights.out[0] == packed));
      if (packed.layout.kind != Layout::Kind::opaque) continue;
      ++compared;

      Bench packing(prepare_onednn(Op::reorder, {}, {w.type}, {packed}, threads), {w});
      packing.run();
      const auto expect = [&](Op op, const Values& a, const Values& b, const TensorType& result, const Values& found) {
        const OperationResult expected = run_operation({op}, {a, b}, {result}, &reference_backend());
        CHECK(normalised_error(found.elements, expected.out[0].elements) < 1e-11);
      };
      Bench run_forward(forward, {x, w});
      copy(packing, run_forward, 1, forward);
      run_forward.run();
      expect(Op::inner_product, x, w, dy.type, run_forward.out(0));

      Bench run_data(data, {dy, w});
      copy(packing, run_data, 1, data);
      run_data.run();
      expect(Op::inner_product_data, dy, w, x.type, run_data.out(0));

      Bench run_weights(weights, {x, dy});
      run_weights.run();
      Bench unpacking(prepare_onednn(Op::reorder, {}, {packed}, {w.type}, threads), {w});
      std::copy_n(run_weights.output(0), packed.bytes(), unpacking.input(0));
      unpacking.run();
      expect(Op::inner_product_weights, x, dy, w.type, unpacking.out(0));

      CHECK(count_allocations([&] { run_forward.run(); }).ours == 0);
      CHECK(count_allocations([&] { unpacking.run(); }).ours == 0);
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("packing and unpacking gives the same bits back, convolution weights too") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  const Layout any{Layout::Kind::any, nullptr};
  const Prepared conv =
      prepare_onednn(Op::conv2d, {}, {type({8, 13, 13, 16}), type({3, 3, 16, 32}, any)}, {type({8, 11, 11, 32})}, 2);
  const Prepared dense =
      prepare_onednn(Op::inner_product, {}, {type({37, 33}), type({33, 17}, any)}, {type({37, 17})}, 1);
  for (const TensorType& weights : {conv.in[1], dense.in[1]}) {
    REQUIRE(weights.layout.kind == Layout::Kind::opaque);
    const Values plain = normals(weights.shape, 5);
    CHECK((through(plain, weights.layout, 2).elements == plain.elements));
  }
}

TEST_CASE("packing keeps NaN and infinity, and a cast into a packed layout rounds too large values to infinity") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  const Shape shape{33, 17};
  const auto packed_as = [&](DType dtype) {
    return prepare_onednn(Op::inner_product, {}, {{dtype, {37, 33}, {}}, {dtype, shape, {Layout::Kind::any, nullptr}}},
                          {{dtype, {37, 17}, {}}}, 1)
        .in[1];
  };
  Values plain = normals(shape, 5);
  for (std::size_t i = 0; i < plain.elements.size(); i += 7)
    plain.elements[i] = i % 2 == 0 ? qnan : i % 3 == 0 ? inf : -inf;
  CHECK(disagreements(through(plain, packed_as(DType::float32).layout, 1), plain) == 0);

  if (processor_has(DType::bfloat16) != true) SKIP("the processor is not known to compute in bfloat16");
  for (std::size_t i = 1; i < plain.elements.size(); i += 7) plain.elements[i] = std::numeric_limits<float>::max();
  const TensorType packed = packed_as(DType::bfloat16), narrow{DType::bfloat16, shape, {}};
  REQUIRE(packed.layout.kind == Layout::Kind::opaque);
  Bench cast(prepare_onednn(Op::cast, {.dtype = DType::bfloat16}, {plain.type}, {packed}, 1), {plain});
  cast.run();
  const Prepared unpack = prepare_onednn(Op::reorder, {}, {packed}, {narrow}, 1);
  Bench unpacking(unpack, {{}});
  copy(cast, unpacking, 0, unpack);
  unpacking.run();
  CHECK(disagreements(unpacking.out(0), as(plain, DType::bfloat16)) == 0);
}

TEST_CASE("an update runs on packed parameters and leaves their padding zero") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  const Layout any{Layout::Kind::any, nullptr};
  const Shape shape{33, 17};  // no multiple of any block
  const TensorType packed =
      prepare_onednn(Op::inner_product, {}, {type({37, 33}), type(shape, any)}, {type({37, 17})}, 1).in[1];
  REQUIRE(packed.layout.kind == Layout::Kind::opaque);
  const TensorType scalar = type(Shape{});
  const std::vector<TensorType> in{packed, packed, packed, packed, scalar, {DType::int64, Shape{}, {}}, scalar};
  const std::vector<TensorType> out{packed, packed, packed};
  const Operation adam{Op::adam, {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7}};
  const Prepared prepared = prepare(adam, in, out, {Device::cpu, 1, &controls}, &eigen_backend());
  Bench bench(prepared,
              {{}, {}, {}, {}, values(Shape{}, {0.1}), values(Shape{}, {1}, DType::int64), values(Shape{}, {1})});

  std::vector<Values> plain{normals(shape, 1), normals(shape, 2), normals(shape, 3), normals(shape, 4)};
  for (double& element : plain[3].elements) element = element * element;
  plain[3] = as(plain[3], DType::float32);
  for (std::size_t i = 0; i < 4; ++i) {
    Bench packing(prepare_onednn(Op::reorder, {}, {plain[i].type}, {packed}, 1), {plain[i]});
    packing.run();
    std::copy_n(packing.output(0), packed.bytes(), bench.input(i));
  }
  bench.run();

  const auto expected = run_operation(adam,
                                      {plain[0], plain[1], plain[2], plain[3], values(Shape{}, {0.1}),
                                       values(Shape{}, {1}, DType::int64), values(Shape{}, {1})},
                                      {type(shape), type(shape), type(shape)}, &reference_backend());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto* updated = reinterpret_cast<const float*>(bench.output(i));
    std::size_t not_zero = 0;
    for (std::size_t j = 0; j < packed.bytes() / sizeof(float); ++j) not_zero += updated[j] != 0 ? 1 : 0;
    CHECK(not_zero <= static_cast<std::size_t>(shape.elements()));
    Bench unpacking(prepare_onednn(Op::reorder, {}, {packed}, {type(shape)}, 1), {plain[0]});
    std::copy_n(bench.output(i), packed.bytes(), unpacking.input(0));
    unpacking.run();
    CHECK(normalised_error(unpacking.out(0).elements, expected.out[i].elements) < 1e-11);
  }
}

TEST_CASE("other back ends refuse a packed tensor") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  const Layout any{Layout::Kind::any, nullptr};
  const Prepared forward =
      prepare_onednn(Op::inner_product, {}, {type({128, 784}), type({784, 128}, any)}, {type({128, 128})}, 2);
  REQUIRE(forward.in[1].layout.kind == Layout::Kind::opaque);
  const std::vector<TensorType> out{type({784, 128})};
  const std::vector<TensorType> in{forward.in[1]};
  for (const Backend* backend : {&eigen_backend(), &reference_backend()}) {
    CHECK_THROWS_AS(prepare({Op::relu}, in, out, {Device::cpu, 1, &controls}, backend), Unsupported);
  }
}

TEST_CASE("oneDNN's narrow products match float64 sums of the rounded factors") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  struct Row {
    DType factors, result;
    double tolerance;
  };
  for (const auto& [factors, result, tolerance] :
       {Row{DType::bfloat16, DType::float32, 1e-11}, Row{DType::float16, DType::float32, 1e-11},
        Row{DType::int8, DType::int32, 0}}) {
    INFO(name(factors));
    Values a = normals({65, 130}, 1);
    Values b = normals({130, 70}, 2);
    for (Values* tensor : {&a, &b}) {
      for (double& element : tensor->elements) element *= factors == DType::int8 ? 40 : 1;
      *tensor = as(*tensor, factors);
    }
    const TensorType out{result, {65, 70}, {}};
    if (factors != DType::int8 && processor_has(factors) != true) {
      WARN("skipped: the processor is not known to compute in " << name(factors));
      continue;
    }
    const OperationResult found = run_operation({Op::matmul}, {a, b}, {out}, &onednn_backend(), 2);
    CHECK(found.prepared.info.name.starts_with("onednn:"));
    const OperationResult expected = run_operation({Op::matmul}, {as(a, DType::float64), as(b, DType::float64)},
                                                   {{DType::float64, {65, 70}, {}}}, &reference_backend());
    CHECK(normalised_error(found.out[0].elements, expected.out[0].elements) <= tolerance);
  }
}

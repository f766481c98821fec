// Types below float32: every operation against the reference kernels, what is native and what is emulated, and that
// sums are exact where 16-bit sums would stick.
#include <cmath>
#include <string>

#include "engine/controls/library.hpp"
#include "engine/core/convert.hpp"
#include "engine/core/denormals.hpp"
#include "engine/kernels/convert_elements.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "tests/catch.hpp"
#include "tests/engine/allocation_counter.hpp"
#include "tests/engine/kernels/operation_cases.hpp"
#include "tests/engine/kernels/processor.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

const ControlSet no_onednn = ControlSet{}.without(Control::onednn);

/// The squared relative error of one rounding a result (2^-9 and 2^-12), some of them to the other neighbour.
double tolerance(DType dtype) { return dtype == DType::bfloat16 ? 1e-5 : dtype == DType::float16 ? 1e-7 : 1e-11; }

bool only_selects(Op op) { return op == Op::relu || op == Op::relu_gradient || op == Op::max_pool; }

}  // namespace

TEST_CASE("every operation on 16-bit tensors agrees with the reference kernels, with oneDNN and without") {
  for (const DType dtype : {DType::bfloat16, DType::float16}) {
    for (const OperationCase& test : operation_cases(dtype)) {
      const OperationResult expected = run_operation(test.operation, test.in, test.out, &reference_backend());
      for (const ControlSet& controls : {ControlSet{}, no_onednn}) {
        INFO(name(dtype) << " " << test.name << (controls.on(Control::onednn) ? "" : ", no oneDNN"));
        const OperationResult found = run_operation(test.operation, test.in, test.out, nullptr, 2, controls);
        for (std::size_t i = 0; i < test.out.size(); ++i) {
          CHECK((found.prepared.out[i] == test.out[i]));
          if (only_selects(test.operation.op)) CHECK((found.out[i].elements == expected.out[i].elements));
          CHECK(normalised_error(found.out[i].elements, expected.out[i].elements) <
                std::max(tolerance(test.out[i].dtype), tolerance(dtype)));
        }
      }
    }
  }
}

TEST_CASE("an emulated product is the float32 product rounded once, and says that it is emulated") {
  for (const DType dtype : {DType::bfloat16, DType::float16, DType::float8_e4m3, DType::float8_e5m2}) {
    INFO(name(dtype));
    const Values a = normals({9, 33}, 1, dtype), b = normals({33, 17}, 2, dtype);
    const OperationResult found =
        run_operation({Op::matmul, {}}, {a, b}, {{dtype, {9, 17}, {}}}, nullptr, 1, no_onednn);
    CHECK(found.prepared.info.emulated);
    CHECK(found.prepared.info.compute == DType::float32);
    CHECK(found.prepared.info.name.find("emulated " + std::string(name(dtype))) == 0);
    const OperationResult wide = run_operation({Op::matmul, {}}, {as(a, DType::float32), as(b, DType::float32)},
                                               {{DType::float32, {9, 17}, {}}}, nullptr, 1, no_onednn);
    CHECK_FALSE(wide.prepared.info.emulated);
    CHECK((found.out[0].elements == as(wide.out[0], dtype).elements));
  }
}

TEST_CASE("16-bit products are native where the processor has them, and each result says which") {
  for (const DType dtype : {DType::bfloat16, DType::float16}) {
    const OperationResult found =
        run_operation({Op::matmul, {}}, {normals({32, 32}, 1, dtype), normals({32, 32}, 2, dtype)},
                      {{dtype, {32, 32}, {}}}, nullptr, 1);
    const auto& info = found.prepared.info;
    INFO(name(dtype) << ": " << info.name);
    CHECK(info.emulated == (info.name.find("emulated") == 0));
    CHECK(info.emulated == (info.compute != dtype));
    if (info.emulated) CHECK_FALSE(info.fallbacks.empty());
    if (const auto instructions = processor_has(dtype)) {
      CHECK(info.emulated == !(*instructions && onednn_present()));
    } else {
      WARN("skipped: the system does not say whether the processor computes in " << name(dtype));
    }
  }
}

TEST_CASE("a group's work is that of its kernels: what is emulated counts as such, and no more") {
  const SettingsScope scope({1, no_onednn});
  const Model model = models::convnet(0, policy_named("mixed_float16"));
  const auto optimizer = make_adam(model.weights());
  TrainStep step(model, *optimizer);
  step(Tensor::zeros(Shape{128, 28, 28, 1}), Tensor::zeros(Shape{128}, DType::int32));
  int groups = 0;
  for (const Step& one : step.traced().plan()->steps) {
    const auto& info = one.prepared.info;
    double all = 0, emulated = 0;
    for (const Work& work : info.work()) {
      all += work.flops;
      emulated += work.emulated ? work.flops : 0;
      if (work.emulated) CHECK(work.format == DType::float16);
    }
    CHECK(all == Approx(info.flops));
    CHECK((emulated > 0) <= info.emulated);
    if (one.op != Op::batch_tiles) continue;
    ++groups;
    INFO(info.name);
    // Products are emulated; a ReLU's mask and a pooling's largest need no arithmetic in 16 bits.
    CHECK(emulated > 0.9 * all);
    CHECK(emulated < all);
  }
  CHECK(groups > 0);
}

TEST_CASE("emulation keeps subnormals of float16 and float8, whatever the denormal mode") {
  const struct Restore {  // whatever fails in between
    ~Restore() { set_flush_denormals(false, 2); }
  } restore;
  for (const bool flush : {false, true}) {
    set_flush_denormals(flush, 2);
    for (const auto& [dtype, step] : {std::pair{DType::float16, 0x1p-24}, std::pair{DType::float8_e5m2, 0x1p-16},
                                      std::pair{DType::float8_e4m3, 0x1p-9}}) {
      INFO(name(dtype) << (flush ? ", float32's flushed" : ""));
      const Values tiny = values({3}, {step, -2 * step, 3 * step}, dtype);
      const OperationResult found = run_operation({Op::add, {}}, {tiny, tiny}, {tiny.type}, nullptr);
      CHECK(found.prepared.info.emulated);
      CHECK((found.out[0].elements == std::vector<double>{2 * step, -4 * step, 6 * step}));
    }
  }
}

TEST_CASE("sums of 16-bit values are exact: 4096 ones are 4096, not the 2048 or 256 where a 16-bit sum sticks") {
  for (const DType dtype : {DType::bfloat16, DType::float16}) {
    const Values ones = values({4096}, std::vector<double>(4096, 1), dtype);
    for (const ControlSet& controls : {ControlSet{}, no_onednn}) {
      CHECK(run_operation({Op::sum, {.axes = 1}}, {ones}, {{dtype, {}, {}}}, nullptr, 2, controls).out[0].elements[0] ==
            4096);
      const Values row = values({1, 4096}, ones.elements, dtype), column = values({4096, 1}, ones.elements, dtype);
      CHECK(run_operation({Op::matmul, {}}, {row, column}, {{dtype, {1, 1}, {}}}, nullptr, 2, controls)
                .out[0]
                .elements[0] == 4096);
    }
  }
}

TEST_CASE("casting loops agree with the conversion of one element, for all values of the narrow types and between") {
  for (const DType dtype : {DType::bfloat16, DType::float16, DType::float8_e4m3, DType::float8_e5m2}) {
    std::vector<float> wide;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      for (const std::uint32_t rest : {0u, 0x7fffu, 0x8000u, 0x8001u, 0x0fffu, 0x1000u})
        wide.push_back(std::bit_cast<float>(bits << 16 | rest));
    }
    std::vector<std::byte> narrow(wide.size() * size_of(dtype));
    convert_loop(DType::float32, dtype)(reinterpret_cast<const std::byte*>(wide.data()), narrow.data(),
                                        static_cast<std::int64_t>(wide.size()));
    std::vector<float> back(wide.size());
    convert_loop(dtype, DType::float32)(narrow.data(), reinterpret_cast<std::byte*>(back.data()),
                                        static_cast<std::int64_t>(wide.size()));
    int wrong = 0;
    visit_dtype(dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_narrow_type<T>) {
        for (std::size_t i = 0; i < wide.size(); ++i) {
          const float expected = to_float(convert<T>(wide[i]));
          const bool same = std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(back[i]);
          wrong += !(same || (std::isnan(expected) && std::isnan(back[i])));
        }
      }
    });
    INFO(name(dtype));
    CHECK(wrong == 0);
  }
}

TEST_CASE("a row of float16 that holds only its lowest value has a softmax, not NaN") {
  const Values masked = values({2, 4}, std::vector<double>(8, -65504), DType::float16);
  const OperationResult found = run_operation({Op::softmax, {}}, {masked}, {masked.type}, nullptr);
  CHECK((found.out[0].elements == std::vector<double>(8, 0.25)));
}

TEST_CASE("a run on 16-bit tensors allocates nothing") {
  const ControlSet on;
  for (const OperationCase& test : operation_cases(DType::bfloat16)) {
    std::vector<TensorType> in;
    for (const Values& tensor : test.in) in.push_back(tensor.type);
    INFO(test.name);
    Bench bench(prepare(test.operation, in, test.out, {Device::cpu, 2, &on}), test.in);
    bench.run();
    CHECK(count_allocations([&] { bench.run(); }).ours == 0);
  }
}

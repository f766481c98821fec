#include <algorithm>

#include "engine/controls/library.hpp"
#include "tests/catch.hpp"
#include "tests/engine/kernels/run_operation.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

Prepared prepare_matmul(DType dtype, const ControlSet& controls) {
  const std::vector<TensorType> in{{dtype, {4, 5}, {}}, {dtype, {5, 6}, {}}};
  const std::vector<TensorType> out{{dtype, {4, 6}, {}}};
  return prepare({Op::matmul}, in, out, {Device::cpu, 1, &controls});
}

bool starts_with(const std::string& text, std::string_view start) { return text.compare(0, start.size(), start) == 0; }

}  // namespace

TEST_CASE("matrix work goes to oneDNN where the build has it, and to Eigen where the control is off") {
  const ControlSet on;
  CHECK(starts_with(prepare_matmul(DType::float32, on).info.name, onednn_present() ? "onednn:" : "eigen:"));
  CHECK(starts_with(prepare_matmul(DType::float32, on.without(Control::onednn)).info.name, "eigen:"));
}

TEST_CASE("a back end that declined is recorded with its reason") {
  const Prepared prepared = prepare_matmul(DType::float64, {});
  CHECK(prepared.info.name == "eigen:matmul");
  REQUIRE(prepared.info.fallbacks.size() == 1);
  CHECK(starts_with(prepared.info.fallbacks[0], "onednn: "));
  if (onednn_present()) CHECK_THAT(prepared.info.fallbacks[0], Catch::Contains("float64"));
  CHECK(prepare_matmul(DType::float64, ControlSet{}.without(Control::onednn)).info.fallbacks.empty());
}

TEST_CASE("what no back end can do is refused with every reason") {
  const std::vector<TensorType> in{{DType::float32, {4, 5}, {}}, {DType::float32, {4, 6}, {}}};
  const std::vector<TensorType> out{{DType::float32, {4, 6}, {}}};
  const ControlSet controls;
  CHECK_THROWS_WITH(prepare({Op::matmul}, in, out, {Device::cpu, 1, &controls}),
                    Catch::Contains("onednn:") && Catch::Contains("eigen:") && Catch::Contains("reference:") &&
                        Catch::Contains("4x5"));
}

TEST_CASE("preparing is counted, running is not") {
  const std::uint64_t before = kernels_prepared();
  const Prepared prepared = prepare_matmul(DType::float32, {});
  CHECK(kernels_prepared() == before + 1);
  Bench bench(prepared, {normals({4, 5}, 1), normals({5, 6}, 2)});
  bench.run();
  bench.run();
  CHECK(kernels_prepared() == before + 1);
}

TEST_CASE("a kernel says what it does") {
  const Prepared prepared = prepare_matmul(DType::float32, ControlSet{}.without(Control::onednn));
  CHECK(prepared.info.flops == 2 * 4 * 5 * 6);
  CHECK(prepared.info.bytes == 4 * (4 * 5 + 5 * 6 + 4 * 6));
  CHECK(prepared.info.threads == 1);
  CHECK_FALSE(prepared.info.emulated);
}

TEST_CASE("every operation has a name of its own") {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < op_count; ++i) names.push_back(name(static_cast<Op>(i)));
  CHECK(name(Op::matmul) == "matmul");
  CHECK(name(Op::softmax_cross_entropy) == "softmax_cross_entropy");
  CHECK(name(Op::argmax) == "argmax");
  CHECK(name(Op::cast) == "cast");
  CHECK(name(Op::reorder) == "reorder");
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("the reference back end has every operation") {
  const ControlSet on;
  for (std::size_t i = 0; i < op_count; ++i) {
    const auto op = static_cast<Op>(i);
    if (op == Op::fused_elementwise || op == Op::batch_tiles) continue;  // made of others
    try {
      reference_backend().prepare({op}, {}, {}, {Device::cpu, 1, &on});
      FAIL("an operation without tensors was prepared");
    } catch (const Unsupported& reason) {
      CHECK(std::string(reason.what()) != "reference: no " + std::string(name(op)));
    }
  }
}

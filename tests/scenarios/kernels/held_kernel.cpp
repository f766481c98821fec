#include "scenarios/kernels/held_kernel.hpp"

#include "tests/catch.hpp"

using namespace assay;
using namespace assay::scenarios::kernels;

namespace {

const Size& size_named(const std::string& name) {
  for (const Size& size : sizes())
    if (size.name() == name) return size;
  throw std::invalid_argument("no size " + name);
}

}  // namespace

TEST_CASE("every operation's kernel answers as the reference does, with and without oneDNN") {
  const engine::ControlSet all;
  const auto eigen = all.without(engine::Control::onednn);
  for (const auto* controls : {&all, &eigen})
    for (const Size& size : sizes()) {
      if (size.flops() > 3e7 || size.in[0].shape.elements() > 1 << 20) continue;  // the run itself checks those
      INFO(size.name());
      try {
        HeldKernel kernel(size, 2, *controls);
        CHECK(kernel.error() <= 1e-5);
      } catch (const engine::Unsupported& reason) {
        CHECK(size.op == engine::Op::reorder);  // plain layouts alone: nothing to reorder
      }
    }
}

TEST_CASE("a large product is checked by rows spread over the result") {
  const engine::ControlSet controls;
  HeldKernel kernel(size_named("matmul/1024x1024x1024"), 1, controls);
  CHECK(kernel.error() <= 1e-5);
}

TEST_CASE("work of a product is what the back end says it is") {
  const engine::ControlSet controls;
  for (const Size& size : sizes()) {
    const auto family = operation_info(size.op).family;
    if (family != Family::product && family != Family::convolution) continue;
    INFO(size.name());
    const HeldKernel kernel(size, 1, controls);
    CHECK(kernel.flops() == kernel.info().flops);
  }
}

TEST_CASE("bytes of a kernel are those of its operands and results") {
  const engine::ControlSet controls;
  const HeldKernel add(size_named("add/2048"), 1, controls);
  CHECK(add.bytes() == 3 * 2048 * 4);
  CHECK(add.traffic().written_share == Approx(1.0 / 3));
  const HeldKernel sum(size_named("sum/2048"), 1, controls);
  CHECK(sum.bytes() == 2048 * 4 + 4);
  const HeldKernel sgd(size_named("sgd/109386"), 1, controls);
  CHECK(sgd.bytes() == 5 * 109386 * 4 + 8);
  CHECK(sgd.traffic().footprint == 3 * 109386 * 4 + 8);
  CHECK(sgd.traffic().in_place);
  CHECK(add.traffic().footprint == add.bytes());
  CHECK_FALSE(add.traffic().in_place);
}

TEST_CASE("an update runs in place, and a wrong answer is seen") {
  const engine::ControlSet controls;
  HeldKernel sgd(size_named("sgd/109386"), 1, controls);
  CHECK(sgd.error() <= 1e-5);
  sgd.run();
  sgd.run();
  CHECK(sgd.error() > 1e-5);  // the parameters have moved on: not what one step from the start gives
}

TEST_CASE("relative errors are of the largest value, and infinite where one is not finite") {
  const engine::TensorType type{engine::DType::float32, {3}, {}};
  float a[] = {1, 2, 4}, b[] = {1, 2.5F, 5};
  const auto view = [&](float* data) { return engine::View{reinterpret_cast<std::byte*>(data), &type}; };
  CHECK(relative_error(view(a), view(b)) == Approx(0.2));
  a[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(relative_error(view(a), view(b)) < 1e30);
}

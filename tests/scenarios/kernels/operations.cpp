#include "scenarios/kernels/operations.hpp"

#include <map>
#include <set>

#include "engine/nn/models.hpp"
#include "scenarios/kernels/sizes.hpp"
#include "tests/catch.hpp"

using namespace assay;
using namespace assay::scenarios::kernels;

TEST_CASE("every operation has a size, or a reason why it has none") {
  std::map<engine::Op, int> count;
  for (const Size& size : sizes()) ++count[size.op];
  CHECK(operations().size() == engine::op_count);
  for (const OperationInfo& row : operations()) {
    INFO(engine::name(row.op));
    CHECK((count[row.op] > 0) == row.left_out.empty());
  }
}

TEST_CASE("names of kernel sizes are unique, and their shapes are what the operation infers") {
  std::set<std::string> names;
  for (const Size& size : sizes()) {
    INFO(size.name());
    CHECK(names.insert(size.name()).second);
    CHECK_NOTHROW(size.out_types());
  }
}

TEST_CASE("every weight of the models is an operand of some size, at batch 1 and 128") {
  for (const auto& model :
       {engine::models::mlp({784, 128, 64, 10}, 0), engine::models::convnet(0), engine::models::serving_convnet(0)}) {
    for (const auto& weight : model.weights()) {
      const auto& shape = weight.type().shape;
      if (shape.rank() < 2) continue;  // biases
      for (const std::int64_t batch : {1, 128}) {
        INFO(weight.name() << " " << to_string(shape) << " at batch " << batch);
        CHECK(std::any_of(sizes().begin(), sizes().end(), [&](const Size& size) {
          return size.in.size() > 1 && size.in[1].shape == shape && size.in[0].shape[0] == batch;
        }));
      }
    }
  }
}

TEST_CASE("operations are counted as their closed forms say") {
  const auto flops = [](const std::string& name) {
    for (const Size& size : sizes())
      if (size.name() == name) return size.flops();
    FAIL("no size " << name);
    return 0.0;
  };
  CHECK(flops("matmul/1024x1024x1024") == 2.0 * 1024 * 1024 * 1024);
  CHECK(flops("inner_product_weights/128x784x128") == 2.0 * 128 * 784 * 128);
  const double first = 2.0 * 128 * 26 * 26 * 16 * 3 * 3, second = 2.0 * 128 * 11 * 11 * 32 * 3 * 3 * 16;
  CHECK(flops("conv2d/128x28x28x1-3x3x16") == first);
  CHECK(flops("conv2d_weights/128x28x28x1-3x3x16") == first);
  CHECK(flops("conv2d_data/128x13x13x16-3x3x32") == second);
  CHECK(flops("sum/8388608") == 8388608);
  CHECK(flops("softmax/128x10") == 5 * 1280);
  CHECK(flops("cast/2048-bfloat16") == 0);
}

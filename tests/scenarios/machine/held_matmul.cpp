#include "scenarios/machine/held_matmul.hpp"

#include "harness/cases/reporter.hpp"
#include "tests/catch.hpp"

using namespace assay;
using scenarios::machine::HeldMatmul;

TEST_CASE("a held product is right in every dtype that has a kernel, on one thread and on two") {
  for (const auto dtype :
       {engine::DType::float32, engine::DType::float64, engine::DType::bfloat16, engine::DType::int8})
    for (const int threads : {1, 2}) {
      INFO(engine::name(dtype) << " on " << threads);
      try {
        HeldMatmul matmul(dtype, 96, threads, {});
        matmul.run();
        CHECK(matmul.error() <= matmul.error_limit());
        CHECK(matmul.operations() == 2.0 * 96 * 96 * 96);
      } catch (const harness::Skipped& reason) {  // 16-bit and 8-bit kernels depend on library and CPU
        CHECK(dtype != engine::DType::float32);
        CHECK(dtype != engine::DType::float64);
        CHECK(std::string{reason.what()}.find(engine::name(dtype)) != std::string::npos);
      }
    }
}

TEST_CASE("the check of a product sees a wrong one") {
  HeldMatmul matmul(engine::DType::float32, 96, 1, {});
  CHECK_FALSE(matmul.error() <= matmul.error_limit());  // it never ran
}

TEST_CASE("a held product runs under the controls in force") {
  harness::Parameters parameters;
  parameters.off = {"engine.onednn"};
  const HeldMatmul matmul(engine::DType::float32, 64, 1, parameters);
  CHECK(matmul.choice().at("kernel").get<std::string>().starts_with("eigen"));
}

TEST_CASE("a dtype that no product is measured in is named") {
  try {
    HeldMatmul(engine::DType::uint8, 8, 1, {});
    FAIL("no error");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string{error.what()}.find("uint8") != std::string::npos);
  }
}

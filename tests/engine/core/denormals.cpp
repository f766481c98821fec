#include "engine/core/denormals.hpp"

#include <array>

#include "engine/core/threads.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

/// The product of two numbers whose result is denormal, computed at run time.
float tiny() {
  volatile float a = 0x1p-100f;
  volatile float b = 0x1p-30f;
  return a * b;
}

}  // namespace

TEST_CASE("denormal results become zero in every thread of the team, and come back") {
  if (!denormals_switchable()) SKIP("this build cannot switch denormal numbers");
  set_flush_denormals(true, 2);
  std::array<float, 2> flushed{1, 1};
  parallel_parts(2, [&](int part) { flushed[static_cast<std::size_t>(part)] = tiny(); });
  CHECK(flushes_denormals());
  set_flush_denormals(false, 2);
  std::array<float, 2> kept{0, 0};
  parallel_parts(2, [&](int part) { kept[static_cast<std::size_t>(part)] = tiny(); });
  CHECK_FALSE(flushes_denormals());
  CHECK(flushed == std::array<float, 2>{0, 0});
  CHECK(kept == std::array<float, 2>{0x1p-130f, 0x1p-130f});
}

#include "scenarios/build_info.hpp"

#include <zlib.h>

#include <Eigen/Core>
#include <boost/version.hpp>

#include "engine/controls/library.hpp"

namespace assay::scenarios {
namespace {

/// The widest vectors that the compiler was told to use.
const char* compiled_isa() {
#if defined(__AVX512F__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#elif defined(__AVX__)
  return "avx";
#elif defined(__SSE4_2__)
  return "sse4.2";
#elif defined(__ARM_FEATURE_SVE)
  return "sve";
#elif defined(__ARM_NEON)
  return "neon";
#else
  return "baseline";
#endif
}

}  // namespace

nlohmann::json build_info() {
  return {
#if defined(__clang__)
    {"compiler", "clang " __clang_version__},
#else
    {"compiler", "gcc " __VERSION__},
#endif
        {"flags", ASSAY_BUILD_FLAGS}, {"isa", compiled_isa()},
#if defined(__OPTIMIZE__)
        {"optimized", true},
#else
        {"optimized", false},
#endif
        {"libraries",
         {{"eigen", std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                        std::to_string(EIGEN_MINOR_VERSION)},
          {"boost", BOOST_LIB_VERSION},
          {"zlib", ZLIB_VERSION},
          {"onednn", engine::onednn_version()}}},
  };
}

}  // namespace assay::scenarios

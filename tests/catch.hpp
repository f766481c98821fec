#pragma once
#include <iostream>

// Catch2 2 and 3 under one include.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

/// Ends a test case that this build or this machine cannot run. ctest reports it as skipped, with the reason
/// (tests/CMakeLists.txt).
#define ASSAY_SKIP_IF(condition, reason)            \
  do {                                              \
    if (condition) {                                \
      std::cout << "SKIPPED: " << (reason) << "\n"; \
      return;                                       \
    }                                               \
  } while (false)

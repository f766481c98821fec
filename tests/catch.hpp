#pragma once
#include <iostream>

// Catch2 2 and 3 under one include.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// Leaves a test that cannot run on this build or machine. The reason is printed, and ctest lists the test as skipped
// (tests/CMakeLists.txt). Catch2 3.3 brings the macro.
#ifndef SKIP
#define SKIP(reason)             \
  do {                           \
    WARN("skipped: " << reason); \
    return;                      \
  } while (false)
#endif

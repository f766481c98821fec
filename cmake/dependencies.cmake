# Every dependency, found once. Third-party headers are SYSTEM: our warnings do not apply to them.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(benchmark 1.6 REQUIRED)
find_package(Eigen3 3.4 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Catch2 REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

add_library(assay_harness_dependencies INTERFACE)
target_link_libraries(assay_harness_dependencies INTERFACE nlohmann_json::nlohmann_json benchmark::benchmark Boost::headers
  PkgConfig::HWLOC OpenSSL::Crypto Threads::Threads)
target_include_directories(assay_harness_dependencies SYSTEM INTERFACE ${CLI11_INCLUDE})

add_library(assay_engine_dependencies INTERFACE)
target_link_libraries(assay_engine_dependencies INTERFACE Eigen3::Eigen ZLIB::ZLIB nlohmann_json::nlohmann_json Threads::Threads)
# g++ 12 finds its own AVX-512 intrinsics uninitialised once Eigen inlines them (GCC bug 105593).
target_compile_options(assay_engine_dependencies INTERFACE -march=${ASSAY_ARCH} -Wno-maybe-uninitialized
  $<$<BOOL:${ASSAY_SANITIZE}>:-Wno-uninitialized>)
if(ASSAY_OPENMP)
  find_package(OpenMP REQUIRED)
  target_link_libraries(assay_engine_dependencies INTERFACE OpenMP::OpenMP_CXX)
endif()

# oneDNN 3.2 or later: the system's where there is one, else the wheel that the launcher put into .deps/python.
option(ASSAY_ONEDNN "Use oneDNN where it is found; off builds the engine without it" ON)
if(ASSAY_ONEDNN AND ASSAY_OPENMP)
  find_package(dnnl 3.2 CONFIG QUIET)
  if(NOT dnnl_FOUND)
    find_package(dnnl 3.2 CONFIG QUIET PATHS ${CMAKE_SOURCE_DIR}/.deps/python/lib/cmake NO_DEFAULT_PATH)
  endif()
endif()
if(NOT dnnl_FOUND)
  set(ASSAY_ONEDNN OFF)
  message(STATUS "oneDNN: none; matrix work runs on Eigen")
else()
  message(STATUS "oneDNN: ${dnnl_VERSION} from ${dnnl_DIR}")
  target_link_libraries(assay_engine_dependencies INTERFACE DNNL::dnnl)
endif()

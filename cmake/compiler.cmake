# Flags of our own code: warnings are errors, the instruction set is this machine's unless ASSAY_ARCH says otherwise.
set(ASSAY_ARCH "native" CACHE STRING "Value of -march; part of the machine key")
set(ASSAY_SANITIZE "" CACHE STRING "Value of -fsanitize, empty for none")
option(ASSAY_OPENMP "Threads by OpenMP; off only where a sanitizer does not understand libgomp" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Headers of libraries are parsed once for each target. Our own headers stay out, so that a change to one rebuilds only what includes it.
# The sanitizer presets build without them, which shows a file that lacks an include.
option(ASSAY_PRECOMPILE "Precompile the headers of libraries" ON)
function(assay_precompile target)
  if(ASSAY_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <chrono> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <span>
      <sstream> <stdexcept> <string> <vector> ${ARGN})
    # ccache asks for -fpch-preprocess. g++ 12 forgets that a precompiled header is a system header and warns of std::string's own copies (GCC bug 105329).
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess;-Wno-stringop-overflow;-Wno-array-bounds>")
  endif()
endfunction()

add_library(assay_compiler INTERFACE)
target_include_directories(assay_compiler INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(assay_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
# g++ 12 sees overlapping copies in std::string's operator+ (GCC bug 105651).
target_compile_options(assay_compiler INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# -march and OpenMP apply to the engine alone (cmake/dependencies.cmake): only its loops gain from them.
if(ASSAY_SANITIZE)
  target_compile_options(assay_compiler INTERFACE -fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(assay_compiler INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()

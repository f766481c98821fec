#include "harness/machine/environment_table.hpp"

#include <array>

namespace assay::harness {
namespace {

using enum Handling;

constexpr std::string_view threads_reason =
    "--threads and the affinity mask say how many threads a case has, and where";
constexpr std::string_view repository_reason = "names another repository than the one that is built; hooks set it";
constexpr std::string_view peer_reason = "a peer gets only what its catalogue declares";
constexpr std::string_view python_reason = "changes how Python finds modules, starts or runs";
constexpr std::string_view linker_reason = "libraries or their loading differ from those of a run without it";
constexpr std::string_view allocator_reason = "the memory allocator differs from that of a run without it";
constexpr std::string_view build_reason = "names the compiler or where it looks; the build's identity has the compiler";
constexpr std::string_view preset_reason = "the preset decides how the program is built";
constexpr std::string_view device_reason = "decides which GPUs a program sees, and how it uses them";
constexpr std::string_view pip_reason = "pip would install somewhere else than in .deps";

// The launcher reads name and handling of each row too: keep them on the row's first line.
constexpr auto table = std::to_array<EnvironmentRule>({
    {"OMP_WAIT_POLICY", set, "OpenMP", "the control engine.spin decides how threads wait"},
    {"OMP_*", cleared, "OpenMP", threads_reason},
    {"GOMP_*", cleared, "libgomp", threads_reason},
    {"KMP_*", cleared, "LLVM's and Intel's OpenMP", threads_reason},
    {"DNNL_*", cleared, "oneDNN", "the controls engine.isa and engine.cache_primitives decide"},
    {"ONEDNN_*", cleared, "oneDNN", "the controls engine.isa and engine.cache_primitives decide"},
    {"INTEL_*", reported, "oneDNN", "may load a profiler, which takes time"},
    {"BENCHMARK_*", cleared, "Google Benchmark", "would filter, repeat or list benchmarks, or write files"},
    {"HWLOC_*", cleared, "hwloc", "would describe another machine, and so change the machine's key"},
    {"OPENSSL_*", reported, "OpenSSL", "makes checksums and pip's connections; nothing that is timed uses it"},
    {"LD_*", reported, "the dynamic linker", linker_reason},
    {"GLIBC_TUNABLES", reported, "glibc", allocator_reason},
    {"GLIBCXX_*", reported, "libstdc++", allocator_reason},
    {"MALLOC_*", reported, "glibc, jemalloc", allocator_reason},
    {"TCMALLOC_*", reported, "TCMalloc", allocator_reason},
    {"MIMALLOC_*", reported, "mimalloc", allocator_reason},
    {"LC_ALL", set, "all programs", "messages and text are the same in every locale", "C.UTF-8"},
    {"LANGUAGE", cleared, "gettext", "messages and text are the same in every locale"},
    {"TMPDIR", reported, "all programs", "scratch files lie there; its file system may be slower"},
    {"CUDA_*", reported, "CUDA", device_reason},
    {"NVIDIA_*", reported, "CUDA", device_reason},
    {"PYTHONPATH", reported, "Python", "a program given by --program may import from there; nothing of assay does"},
    {"PYTHON_KEYRING_BACKEND", reported, "pip", "says how pip finds passwords"},
    {"PYTHON*", cleared, "Python", python_reason},
    {"MPLCONFIGDIR", reported, "Matplotlib", "holds its font cache"},
    {"MPL*", cleared, "Matplotlib", "a report is the same wherever it is drawn"},
    {"MATPLOTLIBRC", cleared, "Matplotlib", "a report is the same wherever it is drawn"},
    {"TF_*", cleared, "TensorFlow", peer_reason},
    {"TF2_*", cleared, "TensorFlow", peer_reason},
    {"KERAS_*", cleared, "Keras", peer_reason},
    {"XLA_*", cleared, "XLA (JAX, TensorFlow)", peer_reason},
    {"JAX_*", cleared, "JAX", peer_reason},
    {"TORCH*", cleared, "PyTorch", peer_reason},
    {"PYTORCH_*", cleared, "PyTorch", peer_reason},
    {"ATEN_*", cleared, "PyTorch", peer_reason},
    {"LRU_CACHE_CAPACITY", cleared, "PyTorch", peer_reason},
    {"ORT_*", cleared, "ONNX Runtime", peer_reason},
    {"MKL_*", cleared, "MKL (PyTorch, NumPy)", peer_reason},
    {"OPENBLAS_*", cleared, "OpenBLAS (NumPy)", peer_reason},
    {"GOTO_*", cleared, "OpenBLAS (NumPy)", peer_reason},
    {"BLIS_*", cleared, "BLIS (NumPy)", peer_reason},
    {"NPY_*", cleared, "NumPy", peer_reason},
    {"NUMEXPR_*", cleared, "NumExpr", peer_reason},
    {"GIT_DIR", cleared, "git", repository_reason},
    {"GIT_WORK_TREE", cleared, "git", repository_reason},
    {"GIT_IMPLICIT_WORK_TREE", cleared, "git", repository_reason},
    {"GIT_COMMON_DIR", cleared, "git", repository_reason},
    {"GIT_INDEX_FILE", cleared, "git", repository_reason},
    {"GIT_OBJECT_DIRECTORY", cleared, "git", repository_reason},
    {"GIT_ALTERNATE_OBJECT_DIRECTORIES", cleared, "git", repository_reason},
    {"GIT_QUARANTINE_PATH", cleared, "git", repository_reason},
    {"GIT_NAMESPACE", cleared, "git", repository_reason},
    {"GIT_PREFIX", cleared, "git", repository_reason},
    {"GIT_CEILING_DIRECTORIES", cleared, "git", "would hide the repository that is built"},
    {"GIT_GRAFT_FILE", cleared, "git", "would show another history than the one that is built"},
    {"GIT_SHALLOW_FILE", cleared, "git", "would show another history than the one that is built"},
    {"GIT_REPLACE_REF_BASE", cleared, "git", "would show another history than the one that is built"},
    {"GIT_NO_REPLACE_OBJECTS", cleared, "git", "would show another history than the one that is built"},
    {"CXX", reported, "CMake", build_reason},
    {"CXXFLAGS", cleared, "CMake", preset_reason},
    {"LDFLAGS", cleared, "CMake", preset_reason},
    {"CMAKE_PREFIX_PATH", reported, "CMake", build_reason},
    {"CMAKE_INCLUDE_PATH", reported, "CMake", build_reason},
    {"CMAKE_LIBRARY_PATH", reported, "CMake", build_reason},
    {"CMAKE_*", cleared, "CMake", preset_reason},
    {"CPATH", reported, "compilers", build_reason},
    {"CPLUS_INCLUDE_PATH", reported, "compilers", build_reason},
    {"LIBRARY_PATH", reported, "compilers", build_reason},
    {"COMPILER_PATH", reported, "compilers", build_reason},
    {"GCC_EXEC_PREFIX", reported, "compilers", build_reason},
    {"PIP_USER", cleared, "pip", pip_reason},
    {"PIP_TARGET", cleared, "pip", pip_reason},
    {"PIP_PREFIX", cleared, "pip", pip_reason},
});

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::string_view name_of(Handling handling) {
  constexpr std::array<std::string_view, 3> names{"cleared", "set", "reported"};
  return names[static_cast<std::size_t>(handling)];
}

std::span<const EnvironmentRule> environment_table() { return table; }

const EnvironmentRule* rule_of(std::string_view name) {
  for (const auto& rule : table)
    if (matches(rule.name, name)) return &rule;
  return nullptr;
}

}  // namespace assay::harness

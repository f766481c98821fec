#include "harness/machine/environment.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "harness/machine/environment_table.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

namespace {

/// Sets a variable of this process for the time of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

bool holds(const std::vector<std::string>& environment, const std::string& entry) {
  return std::find(environment.begin(), environment.end(), entry) != environment.end();
}

std::string value_in(const std::vector<std::string>& environment, const std::string& name) {
  for (const auto& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return "absent";
}

std::string handling_of(const std::string& name) {
  const auto* rule = rule_of(name);
  return rule == nullptr ? "passed on" : std::string{name_of(rule->handling)};
}

}  // namespace

TEST_CASE("variables that libraries document are handled as decided") {
  const std::map<std::string, std::vector<const char*>> expected{
      {"cleared",
       {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_PLACES", "OMP_DYNAMIC", "GOMP_CPU_AFFINITY",
        "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_AFFINITY",
        // oneDNN, Google Benchmark, hwloc
        "DNNL_VERBOSE", "ONEDNN_MAX_CPU_ISA", "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "BENCHMARK_OUT",
        "BENCHMARK_LIST_TESTS", "BENCHMARK_FILTER", "HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT",
        "HWLOC_COMPONENTS",
        // Python and Matplotlib
        "PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONMALLOC", "PYTHONINSPECT", "MPLBACKEND", "MATPLOTLIBRC",
        // frameworks
        "TF_ENABLE_ONEDNN_OPTS", "TF_NUM_INTRAOP_THREADS", "XLA_FLAGS", "JAX_PLATFORMS", "JAX_ENABLE_X64",
        "KERAS_BACKEND", "TORCH_COMPILE_DISABLE", "TORCHDYNAMO_DISABLE", "PYTORCH_JIT", "LRU_CACHE_CAPACITY",
        "ORT_DISABLE_ALL", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPY_DISABLE_CPU_FEATURES",
        // git, CMake, pip
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "CXXFLAGS", "LDFLAGS",
        "CMAKE_BUILD_TYPE", "CMAKE_GENERATOR", "CMAKE_TOOLCHAIN_FILE", "PIP_USER", "PIP_TARGET", "LANGUAGE"}},
      {"set", {"OMP_WAIT_POLICY", "LC_ALL"}},
      {"reported",
       {"LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "MALLOC_CONF",
        "TCMALLOC_SAMPLE_PARAMETER", "CUDA_VISIBLE_DEVICES", "NVIDIA_TF32_OVERRIDE", "PYTHONPATH", "OPENSSL_CONF",
        "TMPDIR", "CXX", "CPATH", "LIBRARY_PATH", "CMAKE_PREFIX_PATH", "MPLCONFIGDIR", "INTEL_LIBITTNOTIFY64"}},
      {"passed on",
       {"PATH", "HOME", "LANG", "TERM", "NO_COLOR", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "CCACHE_DIR",
        "PIP_INDEX_URL", "SSL_CERT_FILE", "https_proxy", "ASSAY_HOME", "XOMP_NUM_THREADS", "CXXFLAG", "LD", "C"}}};
  for (const auto& [handling, names] : expected)
    for (const auto* name : names) {
      INFO(name);
      CHECK(handling_of(name) == handling);
    }
}

TEST_CASE("every rule can be reached, and says whose variable it is and why") {
  std::set<std::string_view> names;
  for (const auto& rule : environment_table()) {
    INFO(rule.name);
    CHECK(names.insert(rule.name).second);
    CHECK_FALSE(rule.reader.empty());
    CHECK_FALSE(rule.reason.empty());
    CHECK((rule.value.empty() || rule.handling == Handling::set));
    std::string name{rule.name};
    if (name.back() == '*') name.back() = '~';  // an ending that no other rule has
    CHECK(rule_of(name) == &rule);
  }
}

TEST_CASE("an environment is cleared in place") {
  std::array texts{std::string{"PATH=/bin"}, std::string{"OMP_THREAD_LIMIT=1"}, std::string{"BENCHMARK_OUT=f"},
                   std::string{"HOME=/"},    std::string{"GIT_DIR="},           std::string{"MALLOC_ARENA_MAX=1"}};
  std::vector<char*> environment;
  for (auto& text : texts) environment.push_back(text.data());
  environment.push_back(nullptr);
  std::array<const char*, 2> removed{};
  CHECK(clear_variables(environment.data(), "BENCHMARK_", removed) == 2);
  CHECK(removed[0] == std::string{"OMP_THREAD_LIMIT=1"});
  CHECK(removed[1] == std::string{"GIT_DIR="});
  std::vector<std::string> left;
  for (char** entry = environment.data(); *entry != nullptr; ++entry) left.emplace_back(*entry);
  CHECK(left == std::vector<std::string>{"PATH=/bin", "BENCHMARK_OUT=f", "HOME=/", "MALLOC_ARENA_MAX=1"});

  environment = {texts[1].data(), texts[2].data(), texts[4].data(), nullptr};
  std::array<const char*, 1> one{};
  CHECK(clear_variables(environment.data(), "", one) == 3);  // more than there is room for
  CHECK(environment[0] == nullptr);
}

TEST_CASE("a program that the harness starts gets what the table lets through, and what its case declares") {
  const Variable limit("OMP_THREAD_LIMIT", "1"), policy("OMP_WAIT_POLICY", "PASSIVE"), locale("LC_ALL", "de_DE"),
      arenas("MALLOC_ARENA_MAX", "1"), own("SOMEBODYS_VARIABLE", "kept");
  const auto environment = child_environment({{"OMP_PLACES", "cores"}, {"MALLOC_ARENA_MAX", "2"}});
  CHECK(value_in(environment, "OMP_THREAD_LIMIT") == "absent");
  CHECK(value_in(environment, "OMP_WAIT_POLICY") == "absent");
  CHECK(value_in(environment, "OMP_PLACES") == "cores");
  CHECK(holds(environment, "MALLOC_ARENA_MAX=2"));
  CHECK_FALSE(holds(environment, "MALLOC_ARENA_MAX=1"));
  CHECK(value_in(environment, "LC_ALL") == "C.UTF-8");
  CHECK(value_in(environment, "SOMEBODYS_VARIABLE") == "kept");
  CHECK(value_in(child_environment({{"LC_ALL", "C"}}), "LC_ALL") == "C");
}

TEST_CASE("what the launcher cleared is reported and handed on, and what acts is reported with its value") {
  const Variable cleared("ASSAY_CLEARED", " OMP_NUM_THREADS GIT_DIR"), arenas("MALLOC_ARENA_MAX", "1\x1b[31m");
  const auto report = environment_report();
  CHECK(report.cleared == std::vector<std::string>{"GIT_DIR", "OMP_NUM_THREADS"});
  CHECK(report.reported.at("MALLOC_ARENA_MAX") == "1?[31m");
  CHECK(value_in(child_environment({}), "ASSAY_CLEARED") == "GIT_DIR OMP_NUM_THREADS");
}

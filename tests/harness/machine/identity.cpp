#include "harness/machine/identity.hpp"

#include <set>

#include "harness/machine/affinity.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {
const json build{{"compiler", "gcc 12.2.0"}, {"flags", "-O3 -march=native"}};

json changed(json identity, const json::json_pointer& where, const json& value) {
  identity.at(where) = value;
  return identity;
}
}  // namespace

TEST_CASE("the key is 64-bit FNV-1a over the canonical JSON") {
  CHECK(machine_key(json::object()) == "08f44b07b5901a25");  // of "{}", computed independently
  CHECK(machine_key({{"cpu", "x"}}) == machine_key({{"cpu", "x"}, {"kernel", "Linux 6.1"}}));
  CHECK(machine_key({{"cpu", "x"}}) != machine_key({{"cpu", "y"}}));
}

TEST_CASE("the key does not depend on the order of fields") {
  const auto first = json::parse(R"({"cpu": "Xeon", "limits": {"cpus": 2, "memory_bytes": null}, "cores": 4})");
  const auto second = json::parse(R"({"cores": 4, "limits": {"memory_bytes": null, "cpus": 2}, "cpu": "Xeon"})");
  CHECK(machine_key(first) == machine_key(second));
}

TEST_CASE("the identity of this machine stays the same from call to call") {
  CHECK(machine_identity(build) == machine_identity(build));
}

TEST_CASE("what decides comparability changes the key, an update of the system does not") {
  const auto identity = machine_identity(build);
  const auto key = machine_key(identity);
  std::set<std::string> keys{key};
  for (const auto* where : {"/cpu", "/cpu_details/features", "/cores", "/topology/caches", "/memory_bytes",
                            "/limits/cpus", "/gpus", "/gpu_driver", "/build/flags"}) {
    INFO(where);
    CHECK(keys.insert(machine_key(changed(identity, json::json_pointer(where), "another"))).second);
  }
  CHECK(machine_key(changed(identity, "/kernel"_json_pointer, "Linux 99")) == key);
  CHECK(machine_key(changed(identity, "/os"_json_pointer, "Debian 99")) == key);
}

TEST_CASE("the identity holds what the report names and no clock reading") {
  const auto identity = machine_identity(build);
  CHECK(identity.at("cores") == allowed_cpus().size());
  CHECK(identity.at("build") == build);
  CHECK(identity.at("topology").at("logical_cpus").get<int>() >= static_cast<int>(allowed_cpus().size()));
  CHECK(identity.dump().find("MHz") == std::string::npos);
}

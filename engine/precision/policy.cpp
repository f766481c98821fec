#include "engine/precision/policy.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace assay::engine {
namespace {

constexpr Policy table[] = {
    {"float32", DType::float32, DType::float32, false, false},
    {"float64", DType::float64, DType::float64, false, false},
    {"bfloat16", DType::bfloat16, DType::bfloat16, false, false},
    {"float16", DType::float16, DType::float16, false, true},
    {"mixed_bfloat16", DType::bfloat16, DType::float32, false, false},
    {"mixed_float16", DType::float16, DType::float32, false, true},
    {"mixed_float8", DType::bfloat16, DType::float32, true, false},
};

}  // namespace

std::span<const Policy> policies() { return table; }

const Policy& policy_named(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &Policy::name);
  if (found != std::end(table)) return *found;
  std::string valid;
  for (const Policy& policy : table) valid += (valid.empty() ? "" : ", ") + std::string(policy.name);
  throw std::invalid_argument("unknown precision policy '" + std::string(name) + "'; expected one of " + valid);
}

}  // namespace assay::engine

#include "engine/controls/library.hpp"

#include <oneapi/dnnl/dnnl.hpp>

namespace assay::engine {

bool onednn_present() { return true; }

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
}

bool onednn_cap_isa_to_avx2() { return dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2) == dnnl_success; }

void onednn_set_primitive_cache(int capacity) { dnnl_set_primitive_cache_capacity(capacity); }

}  // namespace assay::engine

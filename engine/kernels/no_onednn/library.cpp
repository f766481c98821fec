#include "engine/controls/library.hpp"

namespace assay::engine {

bool onednn_present() { return false; }

std::string onednn_version() { return ""; }

bool onednn_cap_isa_to_avx2() { return false; }

void onednn_set_primitive_cache(int) {}

}  // namespace assay::engine

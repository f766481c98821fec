#pragma once
#include <string>

namespace assay::engine {

// What controls need of oneDNN. Implemented in kernels/onednn, and in kernels/no_onednn for builds without it.

bool onednn_present();
/// "3.2.0"; "" without it.
std::string onednn_version();
/// Caps oneDNN to AVX2. False where the library refuses, which it does once it has generated code.
bool onednn_cap_isa_to_avx2();
/// Primitives that oneDNN keeps; 0 makes it generate every one anew.
void onednn_set_primitive_cache(int capacity);

}  // namespace assay::engine

#pragma once

namespace assay::engine {

/// Whether this build can switch denormal numbers off (x86: the FTZ and DAZ bits of MXCSR).
bool denormals_switchable();

/// Flush denormal results and inputs to zero, or not, in the calling thread and in its team of `threads`. Adam's
/// moments of an unused weight decay into denormals, which cost ten to a hundred times a normal operation.
void set_flush_denormals(bool flush, int threads);

/// The mode of the calling thread.
bool flushes_denormals();

}  // namespace assay::engine

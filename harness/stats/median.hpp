#pragma once
#include <span>
#include <string>

namespace assay::harness {

/// The middle value, or the mean of the two middle ones. Throws std::domain_error for an empty or not finite input.
double median(std::span<const double> values);

/// Throws std::domain_error that names `what` unless every value is finite.
void require_finite(std::span<const double> values, const std::string& what);

}  // namespace assay::harness

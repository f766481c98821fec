#pragma once
#include <string>

#include "harness/cases/catalogue.hpp"
#include "harness/errors/errors.hpp"

namespace assay::harness {

// Names that a user wrote, looked up in a catalogue. Each function throws UsageError that suggests the nearest right
// name.

const CaseInfo& find_case(const Catalogue& catalogue, const std::string& name);
void require_parameter(const CaseInfo& one, const std::string& key, const std::string& value);
void require_control(const Catalogue& catalogue, const std::string& name);

/// The canonical id of a configuration that a user wrote.
std::string find_configuration(const Catalogue& catalogue, const std::string& id);

}  // namespace assay::harness

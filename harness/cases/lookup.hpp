#pragma once
#include <string>

#include "harness/cases/catalogue.hpp"
#include "harness/errors/errors.hpp"

namespace assay::harness {

/// What a user named, looked up in a catalogue. Each throws UsageError with the nearest right name.
const CaseInfo& find_case(const Catalogue& catalogue, const std::string& name);
void require_parameter(const CaseInfo& one, const std::string& key, const std::string& value);
void require_control(const Catalogue& catalogue, const std::string& name);

/// The id of a configuration that a user wrote, in the one way to write it.
std::string find_configuration(const Catalogue& catalogue, const std::string& id);

}  // namespace assay::harness

#pragma once
#include <stdexcept>
#include <string>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// A command line that cannot be: names the option, what was expected and what was found. Exit 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a user named, looked up in a catalogue. Each throws UsageError with the nearest right name.
const CaseOffer& case_named(const Catalogue& catalogue, const std::string& name);
void check_parameter(const CaseOffer& one, const std::string& key, const std::string& value);
void check_control(const Catalogue& catalogue, const std::string& name);

/// The id of a configuration that a user wrote, in the one way to write it.
std::string configuration_named(const Catalogue& catalogue, const std::string& id);

}  // namespace assay::harness

#pragma once
#include <stdexcept>

namespace assay::engine {

/// Data that cannot be used. The message has the file, what was expected and what was found.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::engine

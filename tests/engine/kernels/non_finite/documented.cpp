// docs/nan_and_infinity.md says for every operation what it does.
#include <fstream>

#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;

TEST_CASE("every operation has its rule for NaN and infinity in the documentation") {
  std::ifstream file(ASSAY_SOURCE_DIR "/docs/nan_and_infinity.md");
  std::string operations;  // the first columns of the table
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `")) operations += line.substr(0, line.find('|', 1));
  }
  for (std::size_t i = 0; i < op_count; ++i) {
    const std::string what{assay::engine::name(static_cast<Op>(i))};
    INFO(what);
    CHECK(operations.find('`' + what + '`') != std::string::npos);
  }
}

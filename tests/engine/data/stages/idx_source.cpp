// The embedded digits as a source: rows, types and the first labels, which every copy of MNIST's test split has.
#include "engine/data/data_error.hpp"
#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

const std::filesystem::path folder = std::filesystem::path(ASSAY_SOURCE_DIR) / "data/mnist";

}  // namespace

TEST_CASE("IDX files are a source of images and labels") {
  const auto images = folder / "t10k-images-idx3-ubyte.gz", labels = folder / "t10k-labels-idx1-ubyte.gz";
  Reader reader(Pipeline::idx(images, labels, 10).take(10).batch(4), on_cores(1));
  Element batch;
  std::vector<std::int32_t> found;
  while (reader.next(batch)) {
    CHECK(batch[0].dtype() == DType::uint8);
    CHECK(batch[0].shape() == Shape{batch[1].shape()[0], 28, 28, 1});
    const auto some = batch[1].as<std::int32_t>();
    found.insert(found.end(), some.begin(), some.end());
  }
  CHECK(found == std::vector<std::int32_t>{7, 2, 1, 0, 4, 1, 4, 9, 5, 9});
  CHECK_THROWS_AS(Pipeline::idx(labels, images, 10), DataError);
}

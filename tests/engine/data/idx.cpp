// PipelineContext MNIST, and every way in which its files can be wrong: the error names the file, what was expected,
// what was found.
#include "engine/data/idx.hpp"

#include <unistd.h>
#include <zlib.h>

#include <fstream>

#include "engine/data/data_error.hpp"
#include "engine/data/mnist.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

void append_word(Bytes& bytes, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

Bytes images(std::uint32_t count, std::uint32_t side, std::uint32_t magic = 2051) {
  Bytes bytes;
  for (const std::uint32_t word : {magic, count, side, side}) append_word(bytes, word);
  for (std::uint32_t i = 0; i < count * side * side; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
  return bytes;
}

Bytes labels(const Bytes& values, std::uint32_t magic = 2049) {
  Bytes bytes;
  append_word(bytes, magic);
  append_word(bytes, static_cast<std::uint32_t>(values.size()));
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

/// A folder of its own, gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("assay_idx_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }

  fs::path gzip(const std::string& name, const Bytes& bytes) const {
    const gzFile file = gzopen((path / name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path / name;
  }
  fs::path raw(const std::string& name, const Bytes& bytes) const {
    std::ofstream out(path / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path / name;
  }
  Bytes content(const fs::path& file) const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// All four files of a set of `count` images and these labels.
  void mnist(std::uint32_t count, std::uint32_t side, const Bytes& training_labels) const {
    gzip("train-images-idx3-ubyte.gz", images(count, side));
    gzip("train-labels-idx1-ubyte.gz", labels(training_labels));
    gzip("t10k-images-idx3-ubyte.gz", images(1, side));
    gzip("t10k-labels-idx1-ubyte.gz", labels({3}));
  }
};

template <class Read>
std::string error_of(Read&& read) {
  try {
    read();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

void check_error(const std::string& said, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) CHECK_THAT(said, Catch::Matchers::Contains(part));
}

}  // namespace

TEST_CASE("a good IDX file is read as it is") {
  const Folder folder;
  const IdxImages read = read_idx_images(folder.gzip("good.gz", images(3, 4)));
  CHECK(read.count == 3);
  CHECK(read.height == 4);
  CHECK(read.width == 4);
  CHECK(read.pixels.size() == 48);
  CHECK(read.pixels[17] == 17);
  CHECK(read_idx_labels(folder.gzip("labels.gz", labels({0, 9, 4})), 10) == Bytes{0, 9, 4});
}

TEST_CASE("a missing file") {
  const Folder folder;
  check_error(error_of([&] { read_idx_images(folder.path / "none.gz"); }), {"none.gz", "expected", "No such file"});
  check_error(error_of([&] { read_idx_images(folder.path); }), {folder.path.string(), "expected", "Is a directory"});
}

TEST_CASE("an IDX file may be plain: its content decides, not its name") {
  const Folder folder;
  CHECK(read_idx_images(folder.raw("plain", images(3, 4))).pixels ==
        read_idx_images(folder.gzip("a", images(3, 4))).pixels);
  CHECK(read_idx_images(folder.raw("plain.gz", images(3, 4))).pixels.size() == 48);
  CHECK(read_idx_labels(folder.raw("labels", labels({0, 9, 4})), 10) == Bytes{0, 9, 4});
  check_error(error_of([&] { read_idx_images(folder.raw("empty", {})); }), {"empty", "16 bytes", "found 0 bytes"});
  Bytes cut = images(5, 4);
  cut.resize(cut.size() - 3);
  check_error(error_of([&] { read_idx_images(folder.raw("short", cut)); }), {"short", "80", "77"});
}

TEST_CASE("MNIST's files are found with and without .gz at the end of their names") {
  const Folder folder;
  folder.mnist(2, 28, {1, 2});
  for (const char* name : {"train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
    fs::rename(folder.path / (std::string(name) + ".gz"), folder.path / name);  // gzipped all the same
  fs::remove(folder.path / "train-labels-idx1-ubyte.gz");
  folder.raw("train-labels-idx1-ubyte", labels({1, 2}));
  const mnist::Data data = mnist::load(folder.path);
  CHECK(data.training.labels.to<std::int32_t>() == std::vector<std::int32_t>{1, 2});
  CHECK(data.test.labels.to<std::int32_t>() == std::vector<std::int32_t>{3});
  fs::remove(folder.path / "train-labels-idx1-ubyte");
  check_error(error_of([&] { mnist::load(folder.path); }), {"train-labels-idx1-ubyte", ".gz", "found neither"});
}

TEST_CASE("a file that is neither gzip nor IDX") {
  const Folder folder;
  check_error(error_of([&] { read_idx_images(folder.raw("text", Bytes(500, 'h'))); }),
              {"text", "plain or gzipped", "2051", "1751672936"});
}

TEST_CASE("broken gzip: a byte changed in the middle") {
  const Folder folder;
  Bytes bytes = folder.content(folder.gzip("whole.gz", images(20, 28)));
  bytes[bytes.size() / 2] ^= 0xffU;
  check_error(error_of([&] { read_idx_images(folder.raw("broken.gz", bytes)); }), {"broken.gz", "expected", "found"});
}

TEST_CASE("gzip whose trailer contradicts its content") {
  const Folder folder;
  const Bytes whole = folder.content(folder.gzip("whole.gz", images(20, 28)));
  Bytes crc = whole, length = whole;
  crc[crc.size() - 8] ^= 1;
  length[length.size() - 4] ^= 1;
  check_error(error_of([&] { read_idx_images(folder.raw("crc.gz", crc)); }), {"crc.gz", "CRC-32"});
  check_error(error_of([&] { read_idx_images(folder.raw("length.gz", length)); }), {"length.gz", "another length"});
}

TEST_CASE("truncated gzip") {
  const Folder folder;
  Bytes bytes = folder.content(folder.gzip("whole.gz", images(20, 28)));
  bytes.resize(bytes.size() / 2);
  check_error(error_of([&] { read_idx_images(folder.raw("cut.gz", bytes)); }),
              {"cut.gz", "cut off", std::to_string(bytes.size()) + " bytes"});
}

TEST_CASE("truncated IDX inside whole gzip") {
  const Folder folder;
  Bytes bytes = images(5, 4);
  bytes.resize(bytes.size() - 3);
  check_error(error_of([&] { read_idx_images(folder.gzip("short.gz", bytes)); }), {"short.gz", "80", "77"});
  check_error(error_of([&] {
                read_idx_images(folder.gzip("header.gz", {0, 0, 8, 3, 0}));
              }),
              {"header.gz", "16", "5 bytes"});
}

TEST_CASE("a wrong magic number") {
  const Folder folder;
  check_error(error_of([&] { read_idx_images(folder.gzip("magic.gz", images(1, 2, 2049))); }),
              {"magic.gz", "2051", "2049"});
  check_error(error_of([&] { read_idx_labels(folder.gzip("magic.gz", labels({1}, 2051)), 10); }),
              {"magic.gz", "2049", "2051"});
}

TEST_CASE("a count that the data does not bear out, too high or far too high") {
  const Folder folder;
  Bytes bytes = images(5, 4);
  bytes[7] = 6;
  check_error(error_of([&] { read_idx_images(folder.gzip("count.gz", bytes)); }), {"count.gz", "96", "6x4x4", "80"});
  for (std::size_t i = 4; i < 16; ++i) bytes[i] = 0xff;  // the product overflows 64 bits
  check_error(error_of([&] { read_idx_images(folder.gzip("count.gz", bytes)); }), {"count.gz", "far more"});
}

TEST_CASE("trailing bytes") {
  const Folder folder;
  Bytes bytes = labels({1, 2});
  bytes.push_back(0);
  check_error(error_of([&] { read_idx_labels(folder.gzip("long.gz", bytes), 10); }),
              {"long.gz", "expected 2", "found 3"});
}

TEST_CASE("a label out of range") {
  const Folder folder;
  check_error(error_of([&] {
                read_idx_labels(folder.gzip("ten.gz", labels({0, 10, 1})), 10);
              }),
              {"ten.gz", "0 to 9", "10", "row 1"});
}

TEST_CASE("images and labels of different length, or images of another size") {
  const Folder folder;
  folder.mnist(3, 28, {1, 2});
  check_error(error_of([&] { mnist::load(folder.path); }), {"train-labels-idx1-ubyte.gz", "3", "2"});
  folder.mnist(2, 27, {1, 2});
  check_error(error_of([&] { mnist::load(folder.path); }), {"train-images-idx3-ubyte.gz", "28x28", "27x27"});
  folder.mnist(2, 28, {1, 2});
  CHECK(mnist::load(folder.path).training.rows() == 2);
}

TEST_CASE("the embedded MNIST: 12,000 and 3,000 rows in original order") {
  const mnist::Data data = mnist::load(fs::path(ASSAY_SOURCE_DIR) / "data/mnist");
  CHECK(data.training.rows() == 12000);
  CHECK(data.test.rows() == 3000);
  CHECK((data.training.pixels.shape() == Shape{12000, 28, 28, 1}));
  // The first ten labels of either split, as every MNIST tutorial shows them.
  CHECK(data.training.labels.rows(0, 10).to<std::int32_t>() == std::vector<std::int32_t>{5, 0, 4, 1, 9, 2, 1, 3, 1, 4});
  CHECK(data.test.labels.rows(0, 10).to<std::int32_t>() == std::vector<std::int32_t>{7, 2, 1, 0, 4, 1, 4, 9, 5, 9});

  const mnist::Set first = data.training.first(100);
  CHECK(first.rows() == 100);
  CHECK((first.flat().shape() == Shape{100, 784}));
  const auto raw = first.pixels.to<float>();
  const auto scaled = first.scaled().to<float>();
  CHECK(*std::ranges::max_element(raw) == 255.0F);
  CHECK(*std::ranges::max_element(scaled) == 1.0F);
  for (std::size_t i = 0; i < raw.size(); ++i) CHECK(scaled[i] == raw[i] / 255.0F);
  CHECK_THROWS_AS(data.test.first(3001), DataError);
}

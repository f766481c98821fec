#include "engine/data/records.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include <fstream>

#include "engine/data/data_error.hpp"
#include "engine/data/records_format.hpp"
#include "tests/catch.hpp"
#include "tests/engine/data/folder.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// Two parts of different types, so that every field of the format is used.
void write_pair(Element& out, int i) {
  out.resize(2);
  const auto pixels = out[0].place<float>(Shape{2, 3});
  for (std::size_t p = 0; p < pixels.size(); ++p) pixels[p] = static_cast<float>(i) + static_cast<float>(p) / 8;
  out[1].place<std::int32_t>(Shape{})[0] = -i;
}

std::filesystem::path written(const Folder& folder, int count) {
  const auto file = folder.path() / "pairs.rec";
  RecordWriter writer(file, "pairs");
  Element element;
  for (int i = 0; i < count; ++i) {
    write_pair(element, i);
    writer.write(element);
  }
  writer.finish();
  return file;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the format calls numbers: bytes as they lie in memory.
template <class T>
void put(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_checked(std::string& bytes, std::uint32_t number) {
  put(bytes, number);
  put(bytes, records::checksum(&number, sizeof number));
}

/// A whole file of one record with this payload, every checksum right.
std::filesystem::path with_payload(const Folder& folder, const std::string& payload) {
  std::string bytes(records::magic);
  put(bytes, records::version);
  put(bytes, std::uint32_t{0});
  put(bytes, records::checksum("", 0));
  put_checked(bytes, static_cast<std::uint32_t>(payload.size()));
  put(bytes, records::checksum(payload.data(), payload.size()));
  bytes += payload;
  put_checked(bytes, records::end_mark);
  const std::uint64_t count = 1;
  put(bytes, count);
  put(bytes, records::checksum(&count, sizeof count));
  const auto file = folder.path() / "made.rec";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// A payload's description of one field, without its bytes.
std::string one_field(DType dtype, const std::vector<std::int64_t>& dims) {
  std::string payload{1, static_cast<char>(dtype), static_cast<char>(dims.size())};
  payload[0] = 1;
  for (const std::int64_t dim : dims) put(payload, dim);
  return payload;
}

int count_records(const std::filesystem::path& file) {
  RecordReader reader(file);
  Element element;
  int count = 0;
  while (reader.read(element)) ++count;
  return count;
}

}  // namespace

TEST_CASE("records come back as they were written") {
  const Folder folder;
  RecordReader reader(written(folder, 3));
  CHECK(reader.identity() == "pairs");
  Element element, expected;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(reader.read(element));
    write_pair(expected, i);
    CHECK(to_string(element) == "float32 2x3, int32 scalar");
    CHECK(std::ranges::equal(element[0].as<float>(), expected[0].as<float>()));
    CHECK(element[1].item<std::int32_t>() == -i);
  }
  CHECK_FALSE(reader.read(element));
}

TEST_CASE("a record lies in the file as its format says") {
  const Folder folder;
  const std::string bytes = bytes_of(written(folder, 1));
  // Header 8 + 4 + 4 + 4 and the identity's 5, then length, two checksums and the payload:
  // 1 + (2 + 2 x 8) + 2 + 6 x 4 + 4 bytes.
  std::uint32_t length = 0, sum = 0;
  REQUIRE(bytes.size() == 25 + 12 + 49 + 20);
  std::memcpy(&length, bytes.data() + 25, 4);
  std::memcpy(&sum, bytes.data() + 33, 4);
  CHECK(length == 49);
  CHECK(sum == crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 37), 49));
}

TEST_CASE("every byte that changes is found, with file and offset") {
  const Folder folder;
  const auto file = written(folder, 2);
  const std::string right = bytes_of(file);
  for (std::size_t place = 0; place < right.size(); ++place) {
    std::string wrong = right;
    wrong[place] = static_cast<char>(wrong[place] ^ 0x10);
    std::ofstream(file, std::ios::binary) << wrong;
    INFO("byte " << place);
    CHECK_THROWS_WITH(count_records(file),
                      Catch::Contains("pairs.rec, offset ") && Catch::Contains("expected") && Catch::Contains("found"));
  }
}

TEST_CASE("a record that promises more than it holds is refused though its checksums are right") {
  using Catch::Contains;
  const Folder folder;
  const std::string one = one_field(DType::int64, {1}) + std::string(8, 'x');
  CHECK(count_records(with_payload(folder, one)) == 1);
  const std::int64_t wraps = (std::int64_t{1} << 61) + 1, half = std::int64_t{1} << 32;
  for (const std::string& payload :
       {one_field(DType::int64, {wraps}) + std::string(8, 'x'), one_field(DType::float32, {half, half}),
        one_field(DType::float32, {0, half, half}), one + "y", one.substr(0, one.size() - 1)}) {
    CHECK_THROWS_WITH(count_records(with_payload(folder, payload)),
                      Contains("made.rec, offset 20") && Contains("as many bytes as the shapes have"));
  }
  CHECK_THROWS_WITH(count_records(with_payload(folder, std::string(1, '\0'))), Contains("1 to 4 fields"));
}

TEST_CASE("an identity that would take the machine's memory is refused before it is read") {
  const Folder folder;
  std::string header(records::magic);
  put(header, records::version);
  put(header, records::max_bytes + 1);
  put(header, std::uint32_t{0});
  const auto file = folder.path() / "long.rec";
  std::ofstream(file, std::ios::binary) << header;
  std::filesystem::resize_file(file, std::uintmax_t{records::max_bytes} + 100);  // a hole: it takes no room
  CHECK_THROWS_WITH(RecordReader(file), Catch::Contains("long.rec, offset 12") && Catch::Contains("1 GiB"));
}

TEST_CASE("rows of different lengths, and empty ones, come back as they were written") {
  const Folder folder;
  const auto file = folder.path() / "ragged.rec";
  const Pipeline ragged = Pipeline::generate("ragged", 6, [](std::uint64_t index, Element& out) {
    constexpr std::array lengths{0, 3, 0, 2, 2, 0};
    out.resize(1);
    std::ranges::fill(out[0].place<float>(Shape{lengths[index]}), static_cast<float>(index));
  });
  write_records(ragged, {file});
  for (const Pipeline& pipeline : {ragged, Pipeline::records({file}), ragged.cache(), ragged.prefetch(2)}) {
    Reader reader(pipeline, on_cores(1));
    for (int epoch = 0; epoch < 2; ++epoch) {
      std::string shapes;
      Element element;
      while (reader.next(element)) {
        shapes += to_string(element[0].shape()) + " ";
        const float last = element[0].as<float>().empty() ? 0 : element[0].as<float>().back();
        shapes += std::to_string(static_cast<int>(last)) + ", ";
      }
      CHECK(shapes == "0 0, 3 1, 0 0, 2 3, 2 4, 0 0, ");
      reader.restart();
    }
  }
}

TEST_CASE("a broken record is named with its offset and both checksums") {
  const Folder folder;
  const auto file = written(folder, 2);
  std::string bytes = bytes_of(file);
  bytes[25 + 12 + 49 + 12 + 20] ^= 1;  // in the payload of the second record, which begins at 86
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK_THROWS_WITH(count_records(file), Catch::Contains("offset 86") && Catch::Contains("record 1 with checksum") &&
                                             Catch::Contains("found"));
  Reader reader(Pipeline::records({file}), on_cores(1));
  Element element;
  REQUIRE(reader.next(element));
  CHECK_THROWS_WITH(reader.next(element), Catch::Contains("element 1") && Catch::Contains("offset 86"));
}

TEST_CASE("files that are none are refused") {
  const Folder folder;
  CHECK_THROWS_WITH(RecordReader(folder.path() / "none.rec"), Catch::Contains("none.rec") && Catch::Contains("read"));
  std::ofstream(folder.path() / "text.rec") << "hello, these are no records";
  CHECK_THROWS_WITH(RecordReader(folder.path() / "text.rec"), Catch::Contains("ASSAYREC"));
  CHECK_THROWS_AS(RecordReader(folder.path()), DataError);
  CHECK_THROWS_WITH(RecordWriter(folder.path() / "no/such/folder.rec", ""), Catch::Contains("cannot be written"));
  CHECK_THROWS_WITH(Pipeline::records({written(folder, 0)}), Catch::Contains("1 record or more"));
}

TEST_CASE("a full disk is an error of the write that meets it") {
  RecordWriter writer("/dev/full", "");
  Element element;
  write_pair(element, 1);
  CHECK_THROWS_WITH(
      [&] {
        for (int i = 0; i < 100000; ++i) writer.write(element);
      }(),
      Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}

TEST_CASE("what asks again after the last record meets the end again") {
  const Folder folder;
  const std::vector files{folder.path() / "ten.rec"};
  write_records(numbers(10), files);
  const Pipeline ten = Pipeline::records(files);
  for (const Pipeline& pipeline :
       {ten.batch(4), ten.map(times_ten()).batch(4), ten.take(20), ten.shuffle({.buffer_size = 4})}) {
    for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}})
      CHECK(read(pipeline, without(off)).size() == 10);
  }
  CHECK(read(ten.batch(4)) == range(0, 10));
}

TEST_CASE("shards hold a pipeline's elements in turn, and reading them in turn gives its order") {
  const Folder folder;
  const auto files = shard_files(folder.path() / "train", 3);
  CHECK(files[1].filename() == "train-00001-of-00003.rec");
  CHECK(write_records(numbers(8), files) == 8);
  CHECK(read(Pipeline::records({files[0]})) == Numbers{0, 3, 6});
  CHECK(read(Pipeline::records({files[2]})) == Numbers{2, 5});
  CHECK(read(Pipeline::records(files, 3)) == range(0, 8));
  CHECK(read(Pipeline::records(files, 3).map(times_ten(), {.num_parallel_calls = 2}).prefetch(1)) == range(0, 80, 10));
}

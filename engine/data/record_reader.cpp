#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"
#include "engine/data/records_format.hpp"

namespace assay::engine {
namespace {

std::string hex(std::uint32_t number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%08x", number);
  return text.data();
}

/// Takes values from the front of bytes; false where there are too few.
class Bytes {
 public:
  explicit Bytes(const std::vector<std::byte>& bytes) : at_(bytes.data()), left_(bytes.size()) {}
  template <class T>
  bool take(T& value) {
    if (left_ < sizeof value) return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    left_ -= sizeof value;
    return true;
  }
  const std::byte* rest() const { return at_; }
  std::size_t left() const { return left_; }

 private:
  const std::byte* at_;
  std::size_t left_;
};

}  // namespace

RecordReader::RecordReader(std::filesystem::path file) : file_(std::move(file)), in_(std::fopen(file_.c_str(), "rb")) {
  if (!in_) throw DataError(file_.string() + ": cannot be read: " + std::strerror(errno));
  std::error_code error;
  size_ = std::filesystem::file_size(file_, error);
  if (error) throw DataError(file_.string() + ": expected a record file, found: " + error.message());
  std::string found(records::magic.size(), ' ');
  get(found.data(), found.size(), "the mark of a record file");
  if (found != records::magic) broken(0, "a record file, which begins with ASSAYREC", "other bytes");
  if (const auto version = get_number("the version"); version != records::version)
    broken(8, "version " + std::to_string(records::version), "version " + std::to_string(version));
  const std::uint32_t bytes = get_number("the length of the identity"), sum = get_number("its checksum");
  if (bytes > records::max_bytes) broken(12, "an identity of 1 GiB at most", std::to_string(bytes) + " bytes");
  must_follow(bytes, "the identity");
  identity_.resize(bytes);
  get(identity_.data(), bytes, "the identity");
  if (const auto is = records::checksum(identity_.data(), bytes); is != sum)
    broken(20, "an identity with checksum " + hex(sum), "one with " + hex(is));
}

std::optional<RecordReader::Head> RecordReader::head() {
  const std::uint64_t offset = offset_;
  const std::uint32_t length = get_number("a record or the end mark"), length_sum = get_number("a length's checksum");
  if (const auto is = records::checksum(&length, sizeof length); is != length_sum)
    broken(offset, "a length with checksum " + hex(length_sum), "one with " + hex(is));
  if (length == records::end_mark) {
    end(offset);
    return std::nullopt;
  }
  if (length > records::max_bytes) broken(offset, "a record of 1 GiB at most", std::to_string(length) + " bytes");
  const std::uint32_t sum = get_number("a record's checksum");
  must_follow(length, "a record");
  return Head{length, sum};
}

bool RecordReader::read(Element& out) {
  const std::uint64_t offset = offset_;
  const auto found = head();
  if (!found) return false;
  const auto [length, sum] = *found;
  payload_.resize(length);
  get(payload_.data(), length, "a record");
  if (const auto is = records::checksum(payload_.data(), length); is != sum)
    broken(offset, "record " + std::to_string(records_) + " with checksum " + hex(sum), "one with " + hex(is));
  decode(offset, out);
  ++records_;
  return true;
}

std::string RecordReader::fingerprint() {
  std::uint32_t sum = records::checksum(nullptr, 0);
  while (const auto found = head()) {
    sum = records::checksum(&*found, sizeof *found, sum);
    if (std::fseek(in_.get(), static_cast<long>(found->length), SEEK_CUR) != 0)
      broken(offset_, "a record of " + std::to_string(found->length) + " bytes", "a file that cannot be read");
    offset_ += found->length;
    ++records_;
  }
  return std::to_string(size_) + " bytes, checksum " + hex(sum);
}

void RecordReader::end(std::uint64_t offset) {
  std::uint64_t count = 0;
  get(&count, sizeof count, "the number of records");
  const std::uint32_t sum = get_number("its checksum");
  if (records::checksum(&count, sizeof count) != sum || count != records_ || offset_ != size_)
    broken(offset, "the end of " + std::to_string(records_) + " records", "another end");
}

void RecordReader::decode(std::uint64_t offset, Element& out) const {
  const auto must = [&](bool good, const char* what) {
    if (!good) broken(offset, what, "something else, though the checksum is right");
  };
  Bytes bytes(payload_);
  std::uint8_t fields = 0;
  must(bytes.take(fields) && fields >= 1 && fields <= Element::max_fields, "1 to 4 fields");
  std::array<std::pair<DType, Shape>, Element::max_fields> types;
  for (std::size_t i = 0; i < fields; ++i) {
    std::uint8_t dtype = 0, rank = 0;
    must(bytes.take(dtype) && dtype <= static_cast<std::uint8_t>(DType::int64), "a known element type");
    must(bytes.take(rank) && rank <= Shape::max_rank, "a rank that tensors have");
    std::array<std::int64_t, Shape::max_rank> dims{};
    for (std::size_t d = 0; d < rank; ++d) must(bytes.take(dims[d]) && dims[d] >= 0, "dimensions");
    types[i] = {static_cast<DType>(dtype), Shape(std::span<const std::int64_t>(dims.data(), rank))};
  }
  out.resize(fields);
  const std::byte* from = bytes.rest();
  std::size_t left = bytes.left();
  for (std::size_t i = 0; i < fields; ++i) {
    const auto& [dtype, shape] = types[i];
    const auto wanted = bytes_of(dtype, shape);
    must(wanted && *wanted <= left, "as many bytes as the shapes have");
    std::byte* const to = out[i].place(dtype, shape);  // of an empty one, too: the field had another before
    if (*wanted > 0) std::memcpy(to, from, *wanted);
    from += *wanted;
    left -= *wanted;
  }
  must(left == 0, "as many bytes as the shapes have");
}

void RecordReader::must_follow(std::size_t bytes, const char* what) const {
  if (size_ - offset_ >= bytes) return;
  broken(offset_, std::string(what) + " of " + std::to_string(bytes) + " bytes",
         "the end of the file after " + std::to_string(size_ - offset_) + ": it was cut short");
}

void RecordReader::get(void* data, std::size_t bytes, const char* what) {
  must_follow(bytes, what);
  if (std::fread(data, 1, bytes, in_.get()) != bytes)
    broken(offset_, std::string(what) + " of " + std::to_string(bytes) + " bytes", "fewer: the file cannot be read");
  offset_ += bytes;
}

std::uint32_t RecordReader::get_number(const char* what) {
  std::uint32_t number = 0;
  get(&number, sizeof number, what);
  return number;
}

void RecordReader::broken(std::uint64_t offset, const std::string& expected, const std::string& found) const {
  throw DataError(file_.string() + ", offset " + std::to_string(offset) + ": expected " + expected + ", found " +
                  found);
}

std::vector<std::filesystem::path> shard_files(const std::filesystem::path& prefix, int shards) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < shards; ++i) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "-%05d-of-%05d.rec", i, shards);
    files.emplace_back(prefix.string() + text.data());
  }
  return files;
}

}  // namespace assay::engine

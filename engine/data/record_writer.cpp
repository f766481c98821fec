#include <cerrno>
#include <cstring>

#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"
#include "engine/data/records_format.hpp"

namespace assay::engine {
namespace {

[[noreturn]] void failed(const std::filesystem::path& file) {
  throw DataError(file.string() + ": cannot be written: " + std::strerror(errno));
}

/// Puts `bytes` bytes at `to` and moves it on.
void put_bytes(std::byte*& to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  to += bytes;
}

void encode(const Element& element, std::vector<std::byte>& payload) {
  std::size_t bytes = 1;
  for (const Field& field : element) bytes += 2 + field.shape().rank() * sizeof(std::int64_t) + field.bytes();
  payload.resize(bytes);
  std::byte* to = payload.data();
  *to++ = static_cast<std::byte>(element.size());
  for (const Field& field : element) {
    *to++ = static_cast<std::byte>(field.dtype());
    *to++ = static_cast<std::byte>(field.shape().rank());
    put_bytes(to, field.shape().dims().data(), field.shape().rank() * sizeof(std::int64_t));
  }
  for (const Field& field : element) put_bytes(to, field.data(), field.bytes());
}

}  // namespace

RecordWriter::RecordWriter(std::filesystem::path file, const std::string& identity)
    : file_(std::move(file)), out_(std::fopen(file_.c_str(), "wb")) {
  if (!out_) failed(file_);
  put(records::magic.data(), records::magic.size());
  put_number(records::version);
  put_number(static_cast<std::uint32_t>(identity.size()));
  put_number(records::checksum(identity.data(), identity.size()));
  put(identity.data(), identity.size());
}

void RecordWriter::write(const Element& element) {
  encode(element, payload_);
  if (payload_.size() > records::max_bytes) {
    throw DataError(file_.string() + ": a record holds at most " + std::to_string(records::max_bytes) +
                    " bytes, record " + std::to_string(records_) + " has " + std::to_string(payload_.size()));
  }
  const auto length = static_cast<std::uint32_t>(payload_.size());
  put_number(length);
  put_number(records::checksum(&length, sizeof length));
  put_number(records::checksum(payload_.data(), payload_.size()));
  put(payload_.data(), payload_.size());
  ++records_;
}

void RecordWriter::finish() {
  put_number(records::end_mark);
  put_number(records::checksum(&records::end_mark, sizeof records::end_mark));
  put(&records_, sizeof records_);
  put_number(records::checksum(&records_, sizeof records_));
  if (std::fflush(out_.get()) != 0) failed(file_);
  if (std::fclose(out_.release()) != 0) failed(file_);
}

void RecordWriter::put(const void* data, std::size_t bytes) {
  if (std::fwrite(data, 1, bytes, out_.get()) != bytes) failed(file_);
}

}  // namespace assay::engine

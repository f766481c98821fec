#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/element.hpp"

namespace assay::engine {

/// Writes a file of elements. Header: "ASSAYREC", version (4 bytes), length of the identity (4) and its CRC-32 (4), the
/// identity. Each record: length of its payload (4), CRC-32 of that length (4) and of the payload (4), payload. The
/// end: a length of 0xFFFFFFFF, its CRC-32, the number of records (8), its CRC-32. A payload: number of fields (1), for
/// each dtype (1), rank (1), dims (8 each), then the bytes of all. Numbers as this machine stores them; CRC-32 is
/// zlib's.
class RecordWriter {
 public:
  /// `identity` says what the elements are; a reader may ask for it. Throws DataError where the file cannot be made.
  RecordWriter(std::filesystem::path file, const std::string& identity);

  /// Throws DataError, with the file and the reason, where the disk is full or fails.
  void write(const Element& element);
  /// A file without this end is refused when it is read. Throws as write() does.
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void put(const void* data, std::size_t bytes);
  void put_number(std::uint32_t number) { put(&number, sizeof number); }

  std::filesystem::path file_;
  std::unique_ptr<std::FILE, Close> out_;
  std::uint64_t records_ = 0;
  std::vector<std::byte> payload_;
};

/// Reads such a file. Everything that is wrong throws DataError with the file, the offset in bytes, what was expected
/// and what was found.
class RecordReader {
 public:
  explicit RecordReader(std::filesystem::path file);

  const std::string& identity() const { return identity_; }
  /// The next element; false after the last one.
  bool read(Element& out);
  /// "4210 bytes, checksum 5d1c0a3f": of all records that were not read yet, by the checksums in the file. Goes to the
  /// end.
  std::string fingerprint();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Head {
    std::uint32_t length, sum;  // of the payload
  };
  std::optional<Head> head();
  void must_follow(std::size_t bytes, const char* what) const;
  void get(void* data, std::size_t bytes, const char* what);
  std::uint32_t get_number(const char* what);
  [[noreturn]] void broken(std::uint64_t offset, const std::string& expected, const std::string& found) const;
  void decode(std::uint64_t offset, Element& out) const;
  void end(std::uint64_t offset);

  std::filesystem::path file_;
  std::unique_ptr<std::FILE, Close> in_;
  std::uint64_t offset_ = 0, size_ = 0, records_ = 0;
  std::string identity_;
  std::vector<std::byte> payload_;
};

/// The files of a set of shards: "train-00000-of-00004.rec".
std::vector<std::filesystem::path> shard_files(const std::filesystem::path& prefix, int shards);

}  // namespace assay::engine

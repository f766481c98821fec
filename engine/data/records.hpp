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

/// Writes a file of elements. The header has "ASSAYREC", the version (4 bytes), the length of the identity (4), its
/// CRC-32 (4) and the identity. A record has the length of its payload (4), the CRC-32 of that length (4) and of the
/// payload (4), and the payload. The end has the length 0xFFFFFFFF, its CRC-32, the number of records (8) and its
/// CRC-32. A payload has the number of fields (1), then dtype (1), rank (1) and dims (8 each) of every field, then the
/// bytes of all fields. Numbers have the byte order of this machine. CRC-32 is zlib's.
class RecordWriter {
 public:
  /// `identity` describes the elements for readers. Throws DataError where the file cannot be made.
  RecordWriter(std::filesystem::path file, const std::string& identity);

  /// Throws DataError, with file and reason, where the disk is full or fails.
  void write(const Element& element);
  /// Writes the end, without which a reader refuses the file. Throws as write() does.
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

/// Reads a record file. Throws DataError, with the file, the offset in bytes, what was expected and what was found,
/// wherever it is broken.
class RecordReader {
 public:
  explicit RecordReader(std::filesystem::path file);

  const std::string& identity() const { return identity_; }
  /// The next element; false after the last one.
  bool read(Element& out);
  /// Goes to the end; returns the file's size and a checksum of the records' checksums: "4210 bytes, checksum
  /// 5d1c0a3f".
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

/// The names of the files of a sharded data set: "train-00000-of-00004.rec".
std::vector<std::filesystem::path> shard_files(const std::filesystem::path& prefix, int shards);

}  // namespace assay::engine

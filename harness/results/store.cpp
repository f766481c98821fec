#include "harness/results/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "harness/cases/program.hpp"
#include "harness/json/json_place.hpp"
#include "harness/results/document.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error(path.string() + ": " + what);
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw DataError(path.string() + ": " + what);
}

void write_all(int descriptor, const std::string& text, const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      close(descriptor);
      fail(path, std::string("not written: ") + std::strerror(error));
    }
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

void write_atomically(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::path beside = path;
  beside += ".new";
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) fail(beside, std::string("not opened: ") + std::strerror(errno));
  write_all(descriptor, text, beside);
  const bool synced =
      fsync(descriptor) == 0;  // before the rename, or a power cut may leave an empty file under the name
  const int error = errno;
  close(descriptor);
  if (!synced) fail(beside, std::string("not flushed: ") + std::strerror(error));
  std::filesystem::rename(beside, path);
}

std::string document_text(const json& document) {
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";  // a program's output need not be UTF-8
}

void write_document(const std::filesystem::path& path, const json& document) {
  write_atomically(path, document_text(document));
}

json read_document(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be read; expected the run.json of a finished run");
  json document;
  try {
    document = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
  } catch (const JsonError& error) {
    refuse(path, std::string("is no run document: ") + error.what());
  }
  if (!document.is_object() || !document.contains("schema") || !document.at("schema").is_number_integer())
    refuse(path, "is no run document: expected a JSON object with the field schema");
  if (document.at("schema") != schema_version)
    refuse(path, "schema " + document.at("schema").dump() + ", and this assay reads schema " +
                     std::to_string(schema_version) + "; use the assay that wrote it");
  return document;
}

}  // namespace assay::harness

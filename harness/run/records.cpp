#include "harness/run/records.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "harness/errors/errors.hpp"
#include "harness/json/json_place.hpp"
#include "harness/run/check_record.hpp"

namespace assay::harness {
namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Records::Records(const std::filesystem::path& file) : file_(file) {
  if (std::filesystem::exists(file)) {
    const std::string text = content(file);
    std::filesystem::resize_file(file, text.rfind('\n') + 1);  // npos + 1 is 0: nothing whole in it
  }
  descriptor_ = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), file.string());
}

Records::~Records() {
  if (descriptor_ < 0) return;
  fsync(descriptor_);
  close(descriptor_);
}

void Records::append(const nlohmann::json& record) {
  const std::string line = record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), file_.string());
    written += static_cast<std::size_t>(count);
  }
}

std::vector<nlohmann::json> read_records(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file))
    throw CommandError(2, file.string() + ": no such file; expected the records of a run");
  const std::string text = content(file);
  std::vector<nlohmann::json> result;
  RecordCheck check;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const auto damaged = [&](const std::exception& error) {
      return CommandError(5, file.string() + ", line " + std::to_string(result.size() + 1) + ": " + error.what() +
                                 "; the file is damaged or of another version: start a new run");
    };
    try {
      auto record = parse_json(std::string_view(text).substr(begin, end - begin));
      check(record);
      result.push_back(std::move(record));
    } catch (const JsonError& error) {
      throw damaged(error);
    } catch (const CatalogueError& error) {
      throw damaged(error);
    }
  }
  return result;
}

}  // namespace assay::harness

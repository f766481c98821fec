#include "engine/data/maybe_gzipped.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "engine/data/data_error.hpp"

namespace assay::engine {

std::vector<std::uint8_t> read_maybe_gzipped(const std::filesystem::path& file, std::size_t max_bytes) {
  const auto fail = [&file](const std::string& what) { throw DataError(file.string() + ": " + what); };
  // zlib reads a file without the bytes 1f 8b at its beginning as it is.
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> stream(gzopen(file.c_str(), "rb"), gzclose);
  if (!stream) fail(std::string("expected a file that can be read, found none (") + std::strerror(errno) + ")");

  const auto cut = [&] {
    fail("expected whole gzip data, found it cut off: the file ends after " +
         std::to_string(std::filesystem::file_size(file)) + " bytes, before the end of its gzip trailer");
  };
  std::vector<std::uint8_t> content;
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + (std::size_t{1} << 20));
    const int got = gzread(stream.get(), content.data() + before, 1U << 20);
    int code = Z_OK;
    const char* message = gzerror(stream.get(), &code);
    if (got < 0 || code == Z_BUF_ERROR) {
      // zlib's message repeats the file's name; what lies before a fault is not handed out, so no place can be named.
      const std::string text = message;
      const std::string what = text.substr(text.starts_with(file.string() + ": ") ? file.string().size() + 2 : 0);
      if (code == Z_BUF_ERROR) cut();
      if (code == Z_ERRNO) fail("expected a file that can be read, found an error (" + what + ")");
      fail("expected whole gzip data, found " +
           (what == "incorrect data check"     ? std::string("content that its check sum (CRC-32) contradicts")
            : what == "incorrect length check" ? std::string("content of another length than its trailer says")
                                               : "broken compressed data (" + what + ")"));
    }
    content.resize(before + static_cast<std::size_t>(got));
    if (content.size() > max_bytes) fail("expected at most " + std::to_string(max_bytes) + " bytes, found more");
    if (got == 0) return content;
  }
}

}  // namespace assay::engine

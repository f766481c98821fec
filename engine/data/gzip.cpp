#include "engine/data/gzip.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "engine/data/data_error.hpp"

namespace assay::engine {

std::vector<std::uint8_t> read_gzip(const std::filesystem::path& file, std::size_t most) {
  const auto fail = [&file](const std::string& what) { throw DataError(file.string() + ": " + what); };
  // zlib reads a file without the magic as it is; ours must have it.
  std::ifstream raw(file, std::ios::binary);
  if (!raw) fail(std::string("expected a gzip file, found none that can be read (") + std::strerror(errno) + ")");
  unsigned char magic[2] = {};
  if (!raw.read(reinterpret_cast<char*>(magic), 2) || magic[0] != 0x1f || magic[1] != 0x8b) {
    fail("expected gzip (it begins with the bytes 1f 8b), found something else or an empty file");
  }
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> stream(gzopen(file.c_str(), "rb"), gzclose);
  if (!stream) fail("expected a gzip file, found none that can be opened");

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
      fail("expected whole gzip data, found " +
           (what == "incorrect data check"     ? std::string("content that its check sum (CRC-32) contradicts")
            : what == "incorrect length check" ? std::string("content of another length than its trailer says")
                                               : "broken compressed data (" + what + ")"));
    }
    content.resize(before + static_cast<std::size_t>(got));
    if (content.size() > most) fail("expected at most " + std::to_string(most) + " bytes, found more");
    if (got == 0) return content;
  }
}

}  // namespace assay::engine

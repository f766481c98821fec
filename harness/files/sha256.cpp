#include "harness/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace assay::harness {
namespace {

class Digest {
 public:
  Digest() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string result;
    for (unsigned i = 0; i < size; ++i) {
      result += "0123456789abcdef"[digest[i] >> 4];
      result += "0123456789abcdef"[digest[i] & 15];
    }
    return result;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

}  // namespace

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path)) throw std::runtime_error(path.string() + ": cannot be read");
  Digest digest;
  std::array<char, 1 << 16> block;
  while (file) {
    file.read(block.data(), block.size());
    digest.add({block.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) throw std::runtime_error(path.string() + ": reading it failed");
  return digest.text();
}

std::string sha256_of_folder(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) throw std::runtime_error(folder.string() + ": expected a folder");
  std::map<std::string, std::string> files;  // in the order of their names
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().filename()] = std::to_string(entry.file_size()) + " " + sha256_of_file(entry.path());
  Digest digest;
  for (const auto& [name, content] : files) {
    digest.add(name);
    digest.add(std::string_view("\0", 1));  // which no name can hold
    digest.add(content);
    digest.add("\n");
  }
  return digest.text();
}

}  // namespace assay::harness

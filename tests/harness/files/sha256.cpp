#include "harness/files/sha256.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/harness/run/toy.hpp"

using namespace assay::harness;

TEST_CASE("a folder's hash follows names and contents of its files, and nothing else") {
  const toy::Folder folder;
  const auto a = folder.path / "a", b = folder.path / "b";
  for (const auto& [place, first, second] : {std::tuple{a, "one", "two"}, std::tuple{b, "two", "one"}}) {
    std::filesystem::create_directory(place);
    for (const char* name : {first, second}) std::ofstream(place / name) << "content of " << name;
  }
  const std::string hash = sha256_of_folder(a);
  // printf 'one\0%s %s\ntwo\0%s %s\n' 14 $(printf 'content of one' | sha256sum) … | sha256sum
  CHECK(hash == "80f0701ac5799e1a7f2be8221b7f7a287219a67fd91949574f70c52480168920");
  CHECK(sha256_of_folder(b) == hash);
  std::filesystem::create_directory(b / "below");
  std::ofstream(b / "below/x") << "x";
  CHECK(sha256_of_folder(b) == hash);
  std::filesystem::rename(b / "two", b / "twp");
  CHECK(sha256_of_folder(b) != hash);
  std::filesystem::rename(b / "twp", b / "two");
  std::ofstream(b / "two") << "content of twp";
  CHECK(sha256_of_folder(b) != hash);
  CHECK_THROWS_WITH(sha256_of_folder(a / "one"), Catch::Matchers::Contains("expected a folder"));
}

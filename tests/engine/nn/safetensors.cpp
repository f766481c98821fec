#include "engine/nn/safetensors.hpp"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/nn/models.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;
namespace fs = std::filesystem;

namespace {

struct TemporaryFile {
  fs::path path = fs::temp_directory_path() / ("assay_" + std::to_string(::getpid()) + ".safetensors");
  ~TemporaryFile() { fs::remove(path); }

  std::string content() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

std::string with_header(const std::string& header, const std::string& values) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + values;
}

std::string error_of(const fs::path& file, const std::vector<Variable>& variables) {
  try {
    load_weights(file, variables);
  } catch (const WeightsError& error) {
    return error.what();
  }
  return "no WeightsError";
}

}  // namespace

TEST_CASE("weights come back from a file bit for bit, under Keras's names and layouts") {
  const TemporaryFile file;
  const Model saved = models::convnet(1);
  save_weights(file.path, saved.weights());
  const Model loaded = models::convnet(2);
  CHECK(loaded.weights()[0].value().to<float>() != saved.weights()[0].value().to<float>());
  load_weights(file.path, loaded.weights());
  for (std::size_t i = 0; i < saved.weights().size(); ++i) {
    CHECK(loaded.weights()[i].value().to<float>() == saved.weights()[i].value().to<float>());
  }
  const std::string bytes = file.content();
  std::uint64_t size = 0;
  for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  const auto header = nlohmann::json::parse(bytes.substr(8, size));
  CHECK(header.at("conv_0/kernel").at("shape") == nlohmann::json{3, 3, 1, 16});
  CHECK(header.at("conv_0/kernel").at("dtype") == "F32");
  CHECK(header.at("dense_0/kernel").at("shape") == nlohmann::json{800, 128});
  CHECK(header.at("dense_1/bias").at("shape") == nlohmann::json{10});
  std::size_t end = 0;
  for (const auto& [name, entry] : header.items())
    end = std::max(end, entry.at("data_offsets").at(1).get<std::size_t>());
  CHECK(bytes.size() == 8 + size + end);
}

TEST_CASE("a file written elsewhere is read: metadata and tensors that nobody asked for are left alone") {
  const TemporaryFile file;
  file.write(
      with_header(R"({"__metadata__":{"made":"elsewhere"},"other":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                  R"("w":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})",
                  std::string("\x07", 1) + std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8)));
  const Variable w("w", Tensor::zeros(Shape{2}));
  load_weights(file.path, std::vector{w});
  CHECK(w.value().to<float>() == std::vector<float>{1, -2});
}

TEST_CASE("files that do not fit are named with tensor, expected and found") {
  using Catch::Matchers::Contains;
  const TemporaryFile file;
  const std::vector<Variable> wanted{{"w", Tensor::zeros(Shape{2, 3})}};
  CHECK_THAT(error_of(file.path, wanted), Contains(file.path.string()) && Contains("found none"));
  CHECK_THAT(error_of(fs::temp_directory_path(), wanted), Contains("none that can be read"));

  const auto check = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    file.write(bytes);
    const std::string said = error_of(file.path, wanted);
    CHECK_THAT(said, Contains(file.path.string()));
    for (const std::string& part : parts) CHECK_THAT(said, Contains(part));
  };
  const std::string values(24, '\0');
  check("", {"header", "0 bytes"});
  check("abc", {"header", "3 bytes"});
  check(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8), {"at most 100 MB", "9223372036854775807"});
  check(std::string("\x01\xe1\xf5\x05\0\0\0\0", 8) + "{}", {"at most 100 MB", "100000001"});
  check(std::string("\x3c\0\0\0\0\0\0\0", 8), {"a header of 60 bytes", "found 0"});
  check(with_header("not json", values), {"JSON"});
  check(with_header(R"({"v":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", values), {"'w'", "found none"});
  check(with_header(R"({"w":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}})", values), {"'w'", "[2,3]", "[3,2]"});
  check(with_header(R"({"w":{"dtype":"F16","shape":[2,6],"data_offsets":[0,24]}})", values), {"'w'", "F32", "F16"});
  check(with_header(R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", std::string(20, '\0')),
        {"24 bytes", "20 bytes"});
  check(with_header(R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[20,8]}})", values), {"'w'", "20 to 8"});
  // A tensor that nobody asked for is checked too.
  check(with_header(R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                    R"("v":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                    values),
        {"'w' to begin at byte 4"});
}

TEST_CASE("a file has the bytes that the reference implementation writes") {
  const TemporaryFile file;
  save_weights(file.path, std::vector{Variable("attn.0", Tensor::from<float>(Shape{1, 2, 3}, {0, 1, 2, 3, 4, 5}))});
  std::string expected = with_header(R"({"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}})", "");
  for (const char* value : {"\0\0\0\0", "\0\0\x80\x3f", "\0\0\0\x40", "\0\0\x40\x40", "\0\0\x80\x40", "\0\0\xa0\x40"})
    expected += std::string(value, 4);
  CHECK(expected.size() == 8 + 64 + 24);
  CHECK(file.content() == expected);
  save_weights(file.path, {});
  CHECK(file.content() == std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
}

TEST_CASE("every tensor of a file is aligned for its type") {
  const TemporaryFile file;
  const std::vector<Variable> saved{{"a", Tensor::from<std::uint8_t>(Shape{3}, {1, 2, 3})},
                                    {"b", Tensor::from<std::int64_t>(Shape{1}, {4})},
                                    {"c", Tensor::from<float>(Shape{1}, {5})}};
  save_weights(file.path, saved);
  const std::string bytes = file.content();
  const auto header = nlohmann::json::parse(bytes.substr(8, static_cast<unsigned char>(bytes[0])));
  CHECK(header.at("b").at("data_offsets") == nlohmann::json{0, 8});
  CHECK(header.at("c").at("data_offsets") == nlohmann::json{8, 12});
  CHECK(header.at("a").at("data_offsets") == nlohmann::json{12, 15});
  const std::vector<Variable> loaded{{"a", Tensor::zeros(Shape{3}, DType::uint8)},
                                     {"b", Tensor::zeros(Shape{1}, DType::int64)},
                                     {"c", Tensor::zeros(Shape{1})}};
  load_weights(file.path, loaded);
  CHECK(loaded[0].value().to<std::uint8_t>() == std::vector<std::uint8_t>{1, 2, 3});
  CHECK(loaded[1].value().item<std::int64_t>() == 4);
  CHECK(loaded[2].value().item<float>() == 5);
}

TEST_CASE("what a file cannot hold is not written, and the file that is there stays") {
  using Catch::Matchers::Contains;
  const TemporaryFile file;
  file.write("as it was");
  const Tensor value = Tensor::zeros(Shape{1});
  const auto saved = [&](const std::vector<Variable>& variables) { save_weights(file.path, variables); };
  CHECK_THROWS_WITH(saved({{"w", value}, {"v", value}, {"w", value}}), Contains("two variables named 'w'"));
  CHECK_THROWS_WITH(saved({{"__metadata__", value}}), Contains("'__metadata__'"));
  CHECK_THROWS_WITH(saved({{"\xff", value}}), Contains("UTF-8"));
  CHECK_THROWS_WITH(saved({{std::string(100000000, 'w'), value}}), Contains("at most 100 MB"));
  CHECK(file.content() == "as it was");
  CHECK_THROWS_AS(save_weights(file.path / "nowhere", std::vector{Variable("w", value)}), WeightsError);
}

#include "engine/nn/safetensors.hpp"

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace assay::engine {
namespace {

const std::map<DType, std::string> type_names{
    {DType::float32, "F32"},        {DType::float64, "F64"}, {DType::bfloat16, "BF16"},
    {DType::float16, "F16"},        {DType::int8, "I8"},     {DType::uint8, "U8"},
    {DType::int32, "I32"},          {DType::int64, "I64"},   {DType::float8_e4m3, "F8_E4M3"},
    {DType::float8_e5m2, "F8_E5M2"}};

constexpr std::uint64_t most_header = 100'000'000;  // the format's own limit

nlohmann::json entry_of(const TensorType& type, std::size_t offset) {
  return {{"dtype", type_names.at(type.dtype)},
          {"shape", type.shape.dims()},
          {"data_offsets", {offset, offset + type.bytes()}}};
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw WeightsError(file.string() + ": expected a safetensors file, found none that can be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void save_weights(const std::filesystem::path& file, std::span<const Variable> variables) {
  nlohmann::json header = nlohmann::json::object();
  std::size_t offset = 0;
  for (const Variable& variable : variables) {
    header[variable.name()] = entry_of(variable.type(), offset);
    offset += variable.type().bytes();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the values begin at a multiple of 8
  const auto size = static_cast<std::uint64_t>(text.size());
  auto part = file;
  part += ".part";
  {
    std::ofstream out(part, std::ios::binary);
    for (int i = 0; i < 8; ++i) out.put(static_cast<char>(size >> (8 * i) & 0xff));
    out << text;
    for (const Variable& variable : variables) {
      const Tensor value = variable.value();
      out.write(reinterpret_cast<const char*>(value.data()), static_cast<std::streamsize>(value.type().bytes()));
    }
    if (!out.flush()) throw WeightsError(part.string() + ": could not be written whole");
  }
  std::filesystem::rename(part, file);
}

void load_weights(const std::filesystem::path& file, std::span<const Variable> variables) {
  const std::string bytes = read_whole(file);
  const auto fail = [&file](const std::string& what) { throw WeightsError(file.string() + ": " + what); };
  std::uint64_t size = 0;
  if (bytes.size() < 8) fail("expected a safetensors header, found " + std::to_string(bytes.size()) + " bytes");
  for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  if (size > most_header || size > bytes.size() - 8)
    fail("expected a header of " + std::to_string(size) + " bytes, found " + std::to_string(bytes.size() - 8));
  const auto header =
      nlohmann::json::parse(bytes.begin() + 8, bytes.begin() + 8 + static_cast<std::ptrdiff_t>(size), nullptr, false);
  if (!header.is_object()) fail("expected a JSON header, found something else");
  const std::size_t values = 8 + static_cast<std::size_t>(size);

  std::vector<Tensor> loaded;  // assigned once all are known to fit: a model is never half of one file
  for (const Variable& variable : variables) {
    const auto entry = header.find(variable.name());
    if (entry == header.end()) fail("expected a tensor '" + variable.name() + "', found none");
    try {
      const auto wanted = entry_of(variable.type(), 0);
      if (entry->at("dtype") != wanted.at("dtype") || entry->at("shape") != wanted.at("shape")) {
        fail("expected '" + variable.name() + "' to be " + wanted.at("dtype").get<std::string>() + " " +
             wanted.at("shape").dump() + ", found " + entry->at("dtype").dump() + " " + entry->at("shape").dump());
      }
      const auto begin = entry->at("data_offsets").at(0).get<std::size_t>(),
                 end = entry->at("data_offsets").at(1).get<std::size_t>();
      if (end < begin || end - begin != variable.type().bytes() || end > bytes.size() - values) {
        fail("expected " + std::to_string(variable.type().bytes()) + " bytes of '" + variable.name() +
             "', found offsets " + std::to_string(begin) + " to " + std::to_string(end) + " in " +
             std::to_string(bytes.size() - values) + " bytes");
      }
      loaded.push_back(
          Tensor::from_bytes(variable.type(), std::as_bytes(std::span(bytes.data() + values + begin, end - begin))));
    } catch (const nlohmann::json::exception& error) {
      fail("expected dtype, shape and data_offsets of '" + variable.name() + "', found " + entry->dump());
    }
  }
  for (std::size_t i = 0; i < loaded.size(); ++i) variables[i].assign(loaded[i]);
}

}  // namespace assay::engine

#include "engine/nn/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.hpp"
#include "engine/nn/safetensors_header.hpp"

namespace assay::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

const std::map<DType, std::string_view> type_names{
    {DType::float32, "F32"},        {DType::float64, "F64"}, {DType::bfloat16, "BF16"},
    {DType::float16, "F16"},        {DType::int8, "I8"},     {DType::uint8, "U8"},
    {DType::int32, "I32"},          {DType::int64, "I64"},   {DType::float8_e4m3, "F8_E4M3"},
    {DType::float8_e5m2, "F8_E5M2"}};

std::string_view type_name(const Variable& variable) { return type_names.at(variable.type().dtype); }

std::vector<std::uint64_t> dims_of(const Variable& variable) {
  const auto dims = variable.type().shape.dims();
  return {dims.begin(), dims.end()};
}

/// The place of an element type among the format's: the larger it is, the stricter its alignment.
auto alignment_of(const Variable& variable) {
  const auto& types = safetensors::element_types();
  return std::ranges::find(types, type_name(variable), &safetensors::ElementType::name) - types.begin();
}

/// In the order of the reference implementation: by falling alignment, then by name.
std::vector<Variable> in_file_order(std::span<const Variable> variables) {
  std::vector<Variable> ordered(variables.begin(), variables.end());
  std::ranges::sort(ordered, [](const Variable& a, const Variable& b) {
    const auto left = alignment_of(a), right = alignment_of(b);
    return left != right ? left > right : a.name() < b.name();
  });
  return ordered;
}

/// Throws WeightsError where a reader could not tell the variables apart.
std::string header_of(const std::filesystem::path& file, const std::vector<Variable>& variables) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::size_t offset = 0;
  for (const Variable& variable : variables) {
    const std::string& name = variable.name();
    if (name == "__metadata__") throw WeightsError(file.string() + ": a tensor must not be named '__metadata__'");
    if (header.contains(name))
      throw WeightsError(file.string() + ": expected every name once, found two variables named '" + name + "'");
    const std::size_t end = offset + variable.type().bytes();
    header[name] = {{"dtype", type_name(variable)}, {"shape", dims_of(variable)}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception&) {
    throw WeightsError(file.string() + ": expected names in UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the values begin at a multiple of 8
  if (text.size() > safetensors::max_header_bytes)
    throw WeightsError(file.string() + ": expected a header of at most 100 MB, found " + std::to_string(text.size()) +
                       " bytes");
  return text;
}

/// A file that was opened, and its tensors.
struct Opened {
  std::ifstream in;
  std::streamoff values;  // where they begin
  std::map<std::string, safetensors::Entry> entries;
};

Opened open(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& what) { throw WeightsError(file.string() + ": " + what); };
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(file, error);
  Opened opened{std::ifstream(file, std::ios::binary), 0, {}};
  if (error || !opened.in) fail("expected a safetensors file, found none that can be read");
  std::uint64_t header_bytes = 0;
  if (bytes < sizeof header_bytes) fail("expected a safetensors header, found " + std::to_string(bytes) + " bytes");
  opened.in.read(reinterpret_cast<char*>(&header_bytes), sizeof header_bytes);
  if (header_bytes > safetensors::max_header_bytes)
    fail("expected a header of at most 100 MB, found the length " + std::to_string(header_bytes));
  const std::uint64_t rest = bytes - sizeof header_bytes;
  if (header_bytes > rest)
    fail("expected a header of " + std::to_string(header_bytes) + " bytes, found " + std::to_string(rest));
  std::string header(static_cast<std::size_t>(header_bytes), '\0');
  if (!opened.in.read(header.data(), static_cast<std::streamsize>(header.size()))) fail("could not be read whole");
  try {
    opened.entries = safetensors::parse_header(header, rest - header_bytes);
  } catch (const safetensors::HeaderError& reason) {
    fail(reason.what());
  }
  opened.values = static_cast<std::streamoff>(sizeof header_bytes + header_bytes);
  return opened;
}

}  // namespace

void save_weights(const std::filesystem::path& file, std::span<const Variable> variables) {
  const std::vector<Variable> ordered = in_file_order(variables);
  const std::string header = header_of(file, ordered);
  const auto bytes = static_cast<std::uint64_t>(header.size());
  const AtomicFile unfinished(file);
  std::ofstream out(unfinished.path(), std::ios::binary);
  out.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  out << header;
  for (const Variable& variable : ordered) {
    const Tensor value = variable.value();
    out.write(reinterpret_cast<const char*>(value.data()), static_cast<std::streamsize>(value.type().bytes()));
  }
  out.close();
  if (!out) throw WeightsError(file.string() + ": could not be written whole");
  unfinished.commit();
}

void load_weights(const std::filesystem::path& file, std::span<const Variable> variables) {
  Opened opened = open(file);
  const auto fail = [&file](const std::string& what) { throw WeightsError(file.string() + ": " + what); };
  std::vector<Tensor> loaded;  // assigned once all are known to fit: a model is never half of one file
  for (const Variable& variable : variables) {
    const auto found = opened.entries.find(variable.name());
    if (found == opened.entries.end()) fail("expected a tensor '" + variable.name() + "', found none");
    const safetensors::Entry& entry = found->second;
    if (entry.dtype != type_name(variable) || entry.shape != dims_of(variable)) {
      fail("expected '" + variable.name() + "' to be " +
           safetensors::to_string(type_name(variable), dims_of(variable)) + ", found " +
           safetensors::to_string(entry.dtype, entry.shape));
    }
    loaded.push_back(Tensor::empty(variable.type()));
    opened.in.seekg(opened.values + static_cast<std::streamoff>(entry.begin));
    if (!opened.in.read(reinterpret_cast<char*>(loaded.back().data()),
                        static_cast<std::streamsize>(variable.type().bytes())))
      fail("the values of '" + variable.name() + "' could not be read");
  }
  for (std::size_t i = 0; i < loaded.size(); ++i) variables[i].assign(loaded[i]);
}

}  // namespace assay::engine

#pragma once
#include <filesystem>
#include <vector>

#include "engine/data/stages/arrays.hpp"
#include "engine/data/stages/generate.hpp"
#include "engine/data/stages/map.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {

/// The description of a data pipeline: a source and stages, each of which gives a new pipeline. A value that does
/// nothing until a Reader reads it. Wrong arguments throw std::invalid_argument (files: DataError), which names the
/// stage, what it expects and what it got.
///
///   const Pipeline training = Pipeline::arrays({pixels, labels}).shuffle({.buffer_size =
///   1000}).map(augment).batch(64);
class Pipeline {
 public:
  explicit Pipeline(StagePtr last) : last_(std::move(last)) {}

  /// The rows of tensors, such as pixels [rows, 28, 28, 1] and labels [rows].
  static Pipeline arrays(std::vector<Tensor> arrays);
  static Pipeline generate(const std::string& name, std::int64_t count, MakeElement make);
  /// Images uint8 [height, width, 1] and labels int32 of two IDX files, plain or gzipped.
  static Pipeline idx(const std::filesystem::path& images, const std::filesystem::path& labels, int classes);
  /// The elements of record files; `cycle` files take turns.
  static Pipeline records(const std::vector<std::filesystem::path>& files, std::int64_t cycle = 1);
  static Pipeline zip(const std::vector<Pipeline>& pipelines);
  static Pipeline interleave(const std::vector<Pipeline>& pipelines, std::int64_t cycle, std::int64_t block = 1);

  Pipeline map(MapFunction function, MapOptions options = {}) const;
  Pipeline batch(std::int64_t rows, bool drop_remainder = false) const;
  Pipeline shuffle(ShuffleOptions options) const;
  Pipeline cache() const;
  Pipeline cache(const std::filesystem::path& file) const;
  Pipeline prefetch(int buffer_size = autotune) const;
  Pipeline repeat(std::int64_t times = -1) const;
  Pipeline take(std::int64_t count) const;
  Pipeline skip(std::int64_t count) const;
  Pipeline shard(std::int64_t shards, std::int64_t index) const;

  const StagePtr& last() const { return last_; }

 private:
  StagePtr last_;
};

/// One line a stage, the last stage first, its inputs below it and indented.
std::string to_string(const Pipeline& pipeline);

/// Writes one epoch of a pipeline into record files, which take the elements in turn. Returns the number of elements.
/// Throws DataError where the disk is full; the files are not whole then.
std::int64_t write_records(const Pipeline& pipeline, const std::vector<std::filesystem::path>& files);

}  // namespace assay::engine

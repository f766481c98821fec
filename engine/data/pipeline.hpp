#pragma once
#include <filesystem>
#include <vector>

#include "engine/data/stages/map.hpp"
#include "engine/data/stages/shuffle.hpp"
#include "engine/data/stages/sources.hpp"

namespace assay::engine {

/// A data pipeline as it was described: a source and stages, each a step further. A value; nothing runs before a Reader
/// reads it. Wrong arguments throw std::invalid_argument (files: DataError) that names the stage, what it expects and
/// what it got.
class Pipeline {
 public:
  explicit Pipeline(StagePtr last) : last_(std::move(last)) {}

  /// Rows of tensors side by side: say pixels [rows, 28, 28, 1] and labels [rows].
  static Pipeline arrays(std::vector<Tensor> arrays);
  static Pipeline generate(const std::string& name, std::int64_t count, MakeElement make);
  /// Images uint8 [height, width, 1] and labels int32 of two IDX files, plain or gzipped.
  static Pipeline idx(const std::filesystem::path& images, const std::filesystem::path& labels, int classes);
  /// Record files, `cycle` of them in turn.
  static Pipeline records(const std::vector<std::filesystem::path>& files, std::int64_t cycle = 1);
  static Pipeline zip(const std::vector<Pipeline>& pipelines);
  static Pipeline interleave(const std::vector<Pipeline>& pipelines, std::int64_t cycle, std::int64_t block = 1);

  Pipeline map(MapFunction function, MapWay way = {}) const;
  Pipeline batch(std::int64_t rows, bool drop_remainder = false) const;
  Pipeline shuffle(ShuffleWay way) const;
  Pipeline cache() const;
  Pipeline cache(const std::filesystem::path& file) const;
  Pipeline prefetch(int depth = automatic) const;
  Pipeline repeat(std::int64_t times = -1) const;
  Pipeline take(std::int64_t count) const;
  Pipeline skip(std::int64_t count) const;
  Pipeline shard(std::int64_t shards, std::int64_t index) const;

  const StagePtr& last() const { return last_; }

 private:
  StagePtr last_;
};

/// A stage a line, the last first, what it reads below it and further in.
std::string to_string(const Pipeline& pipeline);

/// Writes one epoch of a pipeline into record files, element after element to each in turn; returns their number of
/// elements. Throws DataError where a disk is full; the files are not whole then.
std::int64_t write_records(const Pipeline& pipeline, const std::vector<std::filesystem::path>& files);

}  // namespace assay::engine

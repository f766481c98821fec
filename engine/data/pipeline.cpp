#include "engine/data/pipeline.hpp"

#include "engine/data/idx.hpp"
#include "engine/data/reader.hpp"
#include "engine/data/records.hpp"
#include "engine/data/stages/batch.hpp"
#include "engine/data/stages/cache.hpp"
#include "engine/data/stages/interleave.hpp"
#include "engine/data/stages/prefetch.hpp"
#include "engine/data/stages/records.hpp"
#include "engine/data/stages/repeat.hpp"
#include "engine/data/stages/shard.hpp"
#include "engine/data/stages/skip.hpp"
#include "engine/data/stages/take.hpp"
#include "engine/data/stages/zip.hpp"

namespace assay::engine {
namespace {

std::vector<StagePtr> stages_of(const std::vector<Pipeline>& pipelines) {
  std::vector<StagePtr> stages;
  for (const Pipeline& pipeline : pipelines) stages.push_back(pipeline.last());
  return stages;
}

template <class S, class... Arguments>
Pipeline make_pipeline(Arguments&&... arguments) {
  return Pipeline(std::make_shared<S>(std::forward<Arguments>(arguments)...));
}

}  // namespace

Pipeline Pipeline::arrays(std::vector<Tensor> arrays) { return make_pipeline<ArraysStage>(std::move(arrays)); }

Pipeline Pipeline::generate(const std::string& name, std::int64_t count, MakeElement make) {
  return make_pipeline<GenerateStage>(name, count, std::move(make));
}

Pipeline Pipeline::idx(const std::filesystem::path& images, const std::filesystem::path& labels, int classes) {
  const IdxImages pixels = read_idx_images(images);
  const std::vector<std::uint8_t> bytes = read_idx_labels(labels, classes);
  const std::vector<std::int32_t> numbers(bytes.begin(), bytes.end());
  const auto count = static_cast<std::int64_t>(numbers.size());
  return arrays({Tensor::from<std::uint8_t>(Shape{pixels.count, pixels.height, pixels.width, 1}, pixels.pixels),
                 Tensor::from<std::int32_t>(Shape{count}, numbers)});
}

Pipeline Pipeline::records(const std::vector<std::filesystem::path>& files, std::int64_t cycle) {
  std::vector<StagePtr> stages;
  for (const auto& file : files) stages.push_back(std::make_shared<RecordsStage>(file));
  return stages.size() == 1 ? Pipeline(stages.front()) : make_pipeline<InterleaveStage>(std::move(stages), cycle, 1);
}

Pipeline Pipeline::zip(const std::vector<Pipeline>& pipelines) { return make_pipeline<ZipStage>(stages_of(pipelines)); }

Pipeline Pipeline::interleave(const std::vector<Pipeline>& pipelines, std::int64_t cycle, std::int64_t block) {
  return make_pipeline<InterleaveStage>(stages_of(pipelines), cycle, block);
}

Pipeline Pipeline::map(MapFunction function, MapOptions options) const {
  return make_pipeline<MapStage>(last_, std::move(function), options);
}

Pipeline Pipeline::batch(std::int64_t rows, bool drop_remainder) const {
  return make_pipeline<BatchStage>(last_, rows, drop_remainder);
}

Pipeline Pipeline::shuffle(ShuffleOptions options) const { return make_pipeline<ShuffleStage>(last_, options); }

Pipeline Pipeline::cache() const { return make_pipeline<MemoryCacheStage>(last_); }

Pipeline Pipeline::cache(const std::filesystem::path& file) const { return make_pipeline<FileCacheStage>(last_, file); }

Pipeline Pipeline::prefetch(int buffer_size) const { return make_pipeline<PrefetchStage>(last_, buffer_size); }

Pipeline Pipeline::repeat(std::int64_t times) const { return make_pipeline<RepeatStage>(last_, times); }

Pipeline Pipeline::take(std::int64_t count) const { return make_pipeline<TakeStage>(last_, count); }

Pipeline Pipeline::skip(std::int64_t count) const { return make_pipeline<SkipStage>(last_, count); }

Pipeline Pipeline::shard(std::int64_t shards, std::int64_t index) const {
  return make_pipeline<ShardStage>(last_, shards, index);
}

std::string to_string(const Pipeline& pipeline) { return to_string(*pipeline.last()); }

std::int64_t write_records(const Pipeline& pipeline, const std::vector<std::filesystem::path>& files) {
  if (files.empty()) throw std::invalid_argument("write_records: expected 1 file or more, got none");
  std::vector<std::unique_ptr<RecordWriter>> writers;
  for (const auto& file : files) writers.push_back(std::make_unique<RecordWriter>(file, identity_of(*pipeline.last())));
  Reader reader(pipeline, {});
  Element element;
  std::int64_t count = 0;
  while (reader.next(element)) writers[static_cast<std::size_t>(count++) % writers.size()]->write(element);
  for (const auto& writer : writers) writer->finish();
  return count;
}

}  // namespace assay::engine

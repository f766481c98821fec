#include "engine/data/stages/map_batch.hpp"

#include <algorithm>
#include <optional>

#include "engine/data/stages/batch_builder.hpp"
#include "engine/data/worker_pool.hpp"

namespace assay::engine {
namespace {

constexpr int max_batches = 32;

struct Batch {
  std::vector<Element> in;
  Element row, out;  // the output of one call, and the batch
  std::size_t count = 0;
  std::uint64_t first = 0;
};

class MapBatchIterator final : public StageIterator {
 public:
  MapBatchIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, const MapStage& map,
                   const BatchStage& batch)
      : StageIterator(context),
        location_(context.description),
        input_(std::move(input)),
        map_(map.function(), context),
        rows_(static_cast<std::size_t>(batch.rows())),
        drop_remainder_(batch.drop_remainder()) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().tunables.workers.load(std::memory_order_relaxed);
    if (!pool_ && workers == 0) return make_here(out);
    if (!pool_) start_workers();
    const auto slot = pool_->take(workers, static_cast<std::size_t>(state().tunables.depth.load()));
    if (!slot) return false;
    out.swap(batches_[*slot].out);
    return true;
  }

 private:
  void start_workers() {
    const auto slots = static_cast<std::size_t>(state().tunables.max_depth);
    batches_.resize(slots + 1);
    pool_.emplace(
        pipeline(), state(),
        WorkerPool::Jobs{[this](std::size_t i) { return fetch(batches_[i]); },
                         [this](std::size_t i) { work(batches_[i]); }},
        WorkerPool::Options{.slots = slots, .consumer_helps = true});  // in order, because other maps are not fused
  }

  /// In the asking thread the inputs need not be kept.
  bool make_here(Element& out) {
    BatchBuilder builder(location_, out, static_cast<std::int64_t>(rows_));
    std::size_t count = 0;
    std::int64_t in_input = 0;
    const std::int64_t begin = pipeline().now_ns(), pulled = input_time();
    while (count < rows_ && input_->next(in_)) {
      add(builder, in_, row_, index_++);
      ++count;
    }
    in_input = input_time() - pulled;
    state().counters.worked.add_shared(std::max<std::int64_t>(0, pipeline().now_ns() - begin - in_input));
    state().counters.mapped.add_shared(static_cast<std::int64_t>(count));
    return finish(builder, count);
  }

  std::int64_t input_time() { return pipeline().state(state().path + ".0", "").counters.pulled.get(); }

  void add(BatchBuilder& builder, const Element& in, Element& row, std::uint64_t index) const {
    builder.redirect_to_next_row(row);
    map_(in, row, index);
    builder.add(row, index);
  }

  bool finish(BatchBuilder& builder, std::size_t count) const {
    if (count == 0 || (drop_remainder_ && count < rows_)) return false;
    builder.finish();
    return true;
  }

  bool fetch(Batch& batch) {
    batch.count = 0;
    batch.first = index_;
    while (batch.count < rows_) {
      if (batch.in.size() == batch.count) batch.in.emplace_back();  // not all at once, because there may be fewer
      if (!input_->next(batch.in[batch.count])) break;
      ++batch.count;
    }
    index_ += batch.count;
    return batch.count > 0 && !(drop_remainder_ && batch.count < rows_);
  }

  void work(Batch& batch) {
    BatchBuilder builder(location_, batch.out, static_cast<std::int64_t>(rows_));
    for (std::size_t i = 0; i < batch.count; ++i) add(builder, batch.in[i], batch.row, batch.first + i);
    finish(builder, batch.count);
    state().counters.mapped.add_shared(static_cast<std::int64_t>(batch.count));
  }

  const std::string location_;
  std::unique_ptr<StageIterator> input_;
  const BoundMap map_;
  const std::size_t rows_;
  const bool drop_remainder_;
  Element in_, row_;
  std::uint64_t index_ = 0;
  std::vector<Batch> batches_;
  std::optional<WorkerPool> pool_;  // once it has threads; last, because they must end before what they use
};

}  // namespace

MapBatchStage::MapBatchStage(std::shared_ptr<const MapStage> map, std::shared_ptr<const BatchStage> batch)
    : Stage({map->input()}, map->randomness()), map_(std::move(map)), batch_(std::move(batch)) {}

std::string MapBatchStage::describe() const { return map_->describe() + ", into " + batch_->describe(); }

StagePtr MapBatchStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<MapBatchStage>(
      std::static_pointer_cast<const MapStage>(map_->with_inputs({std::move(inputs.front())})), batch_);
}

std::unique_ptr<StageIterator> MapBatchStage::make_iterator(const IteratorContext& context) const {
  context.state([&](StageState& state) {
    initialize_tunables(state, context.pipeline.options, map_->options(),
                        {.max_jobs = map_->options().num_parallel_calls == 1 ? 1 : max_batches,
                         .max_calls = static_cast<int>(batch_->rows()),
                         .makes_batch = true});
  });
  return std::make_unique<MapBatchIterator>(context, make_input_iterator(context), *map_, *batch_);
}

}  // namespace assay::engine

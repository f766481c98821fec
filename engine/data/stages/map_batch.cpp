#include "engine/data/stages/map_batch.hpp"

#include <algorithm>
#include <optional>

#include "engine/data/run_ahead.hpp"
#include "engine/data/stages/rows.hpp"

namespace assay::engine {
namespace {

constexpr int most_batches = 32;

struct Batch {
  std::vector<Element> in;
  Element made, out;  // one element, and the rows
  std::size_t count = 0;
  std::uint64_t first = 0;
};

class MapBatch final : public Cursor {
 public:
  MapBatch(const Opening& opening, std::unique_ptr<Cursor> input, const MapStage& map, const BatchStage& batch)
      : Cursor(opening),
        where_(opening.description),
        input_(std::move(input)),
        map_(map.function(), opening),
        rows_(static_cast<std::size_t>(batch.rows())),
        drop_(batch.drop_remainder()) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().knobs.workers.load(std::memory_order_relaxed);
    if (!ahead_ && workers == 0) return make_here(out);
    if (!ahead_) run_ahead();
    const auto slot = ahead_->take(workers, static_cast<std::size_t>(state().knobs.depth.load()));
    if (!slot) return false;
    out.swap(batches_[*slot].out);
    return true;
  }

 private:
  void run_ahead() {
    const auto slots = static_cast<std::size_t>(state().knobs.most_depth);
    batches_.resize(slots + 1);
    ahead_.emplace(reading(), state(),
                   RunAhead::Jobs{[this](std::size_t i) { return fetch(batches_[i]); },
                                  [this](std::size_t i) { work(batches_[i]); }},
                   RunAhead::Way{.slots = slots, .helps = true});  // in order: others are not fused
  }

  /// Element by element in this thread: inputs need not be kept.
  bool make_here(Element& out) {
    RowFiller filler(where_, out, static_cast<std::int64_t>(rows_));
    std::size_t count = 0;
    std::int64_t in_input = 0;
    const std::int64_t begin = reading().now_ns(), pulled = input_time();
    while (count < rows_ && input_->next(in_)) {
      add(filler, in_, made_, index_++);
      ++count;
    }
    in_input = input_time() - pulled;
    state().counters.worked.add_shared(std::max<std::int64_t>(0, reading().now_ns() - begin - in_input));
    state().counters.mapped.add_shared(static_cast<std::int64_t>(count));
    return finish(filler, count);
  }

  std::int64_t input_time() { return reading().state(state().path + ".0", "").counters.pulled.get(); }

  void add(RowFiller& filler, const Element& in, Element& made, std::uint64_t index) const {
    filler.aim(made);
    map_(in, made, index);
    filler.add(made, index);
  }

  bool finish(RowFiller& filler, std::size_t count) const {
    if (count == 0 || (drop_ && count < rows_)) return false;
    filler.finish();
    return true;
  }

  bool fetch(Batch& batch) {
    batch.count = 0;
    batch.first = index_;
    while (batch.count < rows_) {
      if (batch.in.size() == batch.count) batch.in.emplace_back();  // not all at once: there may be fewer
      if (!input_->next(batch.in[batch.count])) break;
      ++batch.count;
    }
    index_ += batch.count;
    return batch.count > 0 && !(drop_ && batch.count < rows_);
  }

  void work(Batch& batch) {
    RowFiller filler(where_, batch.out, static_cast<std::int64_t>(rows_));
    for (std::size_t i = 0; i < batch.count; ++i) add(filler, batch.in[i], batch.made, batch.first + i);
    finish(filler, batch.count);
    state().counters.mapped.add_shared(static_cast<std::int64_t>(batch.count));
  }

  const std::string where_;
  std::unique_ptr<Cursor> input_;
  const BoundMap map_;
  const std::size_t rows_;
  const bool drop_;
  Element in_, made_;
  std::uint64_t index_ = 0;
  std::vector<Batch> batches_;
  std::optional<RunAhead> ahead_;  // once threads are in use; last: they end before what they use
};

}  // namespace

MapBatchStage::MapBatchStage(std::shared_ptr<const MapStage> map, std::shared_ptr<const BatchStage> batch)
    : Stage({map->input()}, map->randomness()), map_(std::move(map)), batch_(std::move(batch)) {}

std::string MapBatchStage::describe() const { return map_->describe() + ", into " + batch_->describe(); }

StagePtr MapBatchStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<MapBatchStage>(
      std::static_pointer_cast<const MapStage>(map_->over({std::move(inputs.front())})), batch_);
}

std::unique_ptr<Cursor> MapBatchStage::open(const Opening& opening) const {
  opening.state([&](StageState& state) {
    set_first_knobs(state, opening.reading.options, map_->way(),
                    {.most = map_->way().calls == 1 ? 1 : most_batches,
                     .most_calls = static_cast<int>(batch_->rows()),
                     .makes_batch = true});
  });
  return std::make_unique<MapBatch>(opening, open_input(opening), *map_, *batch_);
}

}  // namespace assay::engine

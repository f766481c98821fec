// A map on several threads. Elements travel in blocks, so that handing one over is cheap beside the map: a block takes
// about 60 us, which is one element of an expensive map and 32 of a cheap one. What several blocks hold should still
// lie in a core's cache when it is taken: batches of 200 KB, /255, took three times as long in blocks of 14.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/data/run_ahead.hpp"
#include "engine/data/stages/map.hpp"

namespace assay::engine {
namespace {

constexpr double block_ns = 60000, block_bytes = 256 << 10;
constexpr int most_elements = 32, most_blocks = 64;

struct Block {
  std::vector<Element> in, out;
  std::size_t count = 0;  // elements that are there
  std::uint64_t first = 0;
  std::exception_ptr error;  // what came after them
};

class ParallelMap final : public Cursor {
 public:
  ParallelMap(const Opening& opening, std::unique_ptr<Cursor> input, const MapFunction& function, const MapWay& way)
      : Cursor(opening), input_(std::move(input)), map_(function, opening), in_order_(way.in_order) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().knobs.workers.load(std::memory_order_relaxed);
    if (!ahead_ && workers == 0) return call_here(out);
    if (!ahead_) run_ahead();
    while (block_ == nullptr || given_ == block_->count) {
      if (block_ != nullptr && block_->error) fail(std::exchange(block_->error, nullptr));
      const auto slot = ahead_->take(workers, static_cast<std::size_t>(state().knobs.depth.load()));
      block_ = slot ? &blocks_[*slot] : nullptr;
      given_ = 0;
      if (!slot && error_) std::rethrow_exception(std::exchange(error_, nullptr));
      if (!slot) return false;
    }
    out.swap(block_->out[given_++]);
    return true;
  }

 private:
  void run_ahead() {
    const auto slots = static_cast<std::size_t>(state().knobs.most_depth);
    blocks_.resize(slots + 1);
    ahead_.emplace(reading(), state(),
                   RunAhead::Jobs{[this](std::size_t i) { return fetch(blocks_[i]); },
                                  [this](std::size_t i) { work(blocks_[i]); }},
                   RunAhead::Way{.slots = slots, .in_order = in_order_, .helps = true});
  }

  /// In any order, blocks that were fetched before may still be in work: they come first.
  void fail(const std::exception_ptr& error) {
    if (in_order_) std::rethrow_exception(error);
    if (!error_) error_ = error;
    ahead_->end();
  }

  bool call_here(Element& out) {
    if (!input_->next(in_)) return false;
    const bool timed = own_.due();
    const std::int64_t begin = timed ? reading().now_ns() : 0;
    map_(in_, out, index_++);
    if (timed) {
      const std::int64_t took = reading().now_ns() - begin;
      state().counters.worked.add_shared(took * own_.weight());
      state().counters.mapped.add_shared(own_.weight());
      own_.took(took);
    }
    return true;
  }

  std::size_t block_size() const {
    const std::int64_t calls = state().counters.mapped.get();
    if (calls == 0 || state().counters.worked.get() == 0) return 1;  // counted one after the other
    const double call = static_cast<double>(state().counters.worked.get()) / static_cast<double>(calls);
    const auto bytes = static_cast<double>(state().counters.bytes.get());
    return static_cast<std::size_t>(calls_a_job(state().knobs, call, bytes));
  }

  bool fetch(Block& block) {
    const std::size_t wanted = block_size();
    if (block.in.size() < wanted) {
      block.in.resize(wanted);
      block.out.resize(wanted);
    }
    block.count = 0;
    block.first = index_;
    block.error = nullptr;
    try {
      while (block.count < wanted && input_->next(block.in[block.count])) ++block.count;
    } catch (...) {
      block.error = std::current_exception();
    }
    index_ += block.count;
    return block.count > 0 || block.error;
  }

  void work(Block& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      try {
        map_(block.in[i], block.out[i], block.first + i);
      } catch (...) {
        block.count = i;
        block.error = std::current_exception();
      }
    }
    state().counters.mapped.add_shared(static_cast<std::int64_t>(block.count));
  }

  std::unique_ptr<Cursor> input_;
  const BoundMap map_;
  const bool in_order_;
  Element in_;
  Sampler own_;
  std::uint64_t index_ = 0;  // of the next element that is fetched
  Block* block_ = nullptr;   // the consumer's, and how many of it were given
  std::size_t given_ = 0;
  std::exception_ptr error_;  // in any order: of the first block that failed
  std::vector<Block> blocks_;
  std::optional<RunAhead> ahead_;  // once threads are in use; last: they end before what they use
};

}  // namespace

std::unique_ptr<Cursor> open_parallel_map(const Opening& opening, std::unique_ptr<Cursor> input,
                                          const MapFunction& function, const MapWay& way) {
  // Whoever says how many elements are in flight means elements.
  const bool blocks = way.in_flight == automatic;
  opening.state([&](StageState& state) {
    set_first_knobs(state, opening.reading.options, way,
                    {.most = most_blocks,
                     .most_calls = blocks ? most_elements : 1,
                     .ns = blocks ? block_ns : 0,
                     .bytes = block_bytes});
  });
  return std::make_unique<ParallelMap>(opening, std::move(input), function, way);
}

}  // namespace assay::engine

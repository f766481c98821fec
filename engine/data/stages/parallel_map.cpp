// A map on several threads. Elements travel in blocks of about 60 us, so that handing one over is cheap beside the map:
// one element of an expensive map, 32 of a cheap one. The blocks in flight should fit into a core's cache: with batches
// of 200 KB, a map that divides by 255 took three times as long in blocks of 14.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/data/stages/map.hpp"
#include "engine/data/worker_pool.hpp"

namespace assay::engine {
namespace {

constexpr double block_ns = 60000, block_bytes = 256 << 10;
constexpr int max_block_elements = 32, max_blocks = 64;

struct Block {
  std::vector<Element> in, out;
  std::size_t count = 0;  // elements that it holds
  std::uint64_t first = 0;
  std::exception_ptr error;  // that came after them
};

class ParallelMapIterator final : public StageIterator {
 public:
  ParallelMapIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, const MapFunction& function,
                      bool deterministic)
      : StageIterator(context), input_(std::move(input)), map_(function, context), deterministic_(deterministic) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().tunables.workers.load(std::memory_order_relaxed);
    if (!pool_ && workers == 0) return call_here(out);
    if (!pool_) start_workers();
    while (block_ == nullptr || given_ == block_->count) {
      if (block_ != nullptr && block_->error) fail(std::exchange(block_->error, nullptr));
      const auto slot = pool_->take(workers, static_cast<std::size_t>(state().tunables.depth.load()));
      block_ = slot ? &blocks_[*slot] : nullptr;
      given_ = 0;
      if (!slot && error_) std::rethrow_exception(std::exchange(error_, nullptr));
      if (!slot) return false;
    }
    out.swap(block_->out[given_++]);
    return true;
  }

 private:
  void start_workers() {
    const auto slots = static_cast<std::size_t>(state().tunables.max_depth);
    blocks_.resize(slots + 1);
    pool_.emplace(pipeline(), state(),
                  WorkerPool::Jobs{[this](std::size_t i) { return fetch(blocks_[i]); },
                                   [this](std::size_t i) { work(blocks_[i]); }},
                  WorkerPool::Options{.slots = slots, .in_order = deterministic_, .consumer_helps = true});
  }

  /// Without an order, blocks that were fetched before may still be in work: they come first.
  void fail(const std::exception_ptr& error) {
    if (deterministic_) std::rethrow_exception(error);
    if (!error_) error_ = error;
    pool_->finish();
  }

  bool call_here(Element& out) {
    if (!input_->next(in_)) return false;
    const bool timed = sampler_.due();
    const std::int64_t begin = timed ? pipeline().now_ns() : 0;
    map_(in_, out, index_++);
    if (timed) {
      const std::int64_t took = pipeline().now_ns() - begin;
      state().counters.worked.add_shared(took * sampler_.weight());
      state().counters.mapped.add_shared(sampler_.weight());
      sampler_.took(took);
    }
    return true;
  }

  std::size_t block_size() const {
    const std::int64_t calls = state().counters.mapped.get();
    if (calls == 0 || state().counters.worked.get() == 0) return 1;  // the two are counted one after the other
    const double call = static_cast<double>(state().counters.worked.get()) / static_cast<double>(calls);
    const auto bytes = static_cast<double>(state().counters.bytes.get());
    return static_cast<std::size_t>(calls_per_job(state().tunables, call, bytes));
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

  std::unique_ptr<StageIterator> input_;
  const BoundMap map_;
  const bool deterministic_;
  Element in_;
  TimingSampler sampler_;
  std::uint64_t index_ = 0;  // of the next element that is fetched
  Block* block_ = nullptr;   // the consumer's, and how many of it were given
  std::size_t given_ = 0;
  std::exception_ptr error_;  // without an order: of the first block that failed
  std::vector<Block> blocks_;
  std::optional<WorkerPool> pool_;  // once it has threads; last, because they must end before what they use
};

}  // namespace

std::unique_ptr<StageIterator> make_parallel_map_iterator(const IteratorContext& context,
                                                          std::unique_ptr<StageIterator> input,
                                                          const MapFunction& function, const MapOptions& options) {
  // A user who limits the elements in flight means elements, not blocks.
  const bool blocks = options.max_in_flight == autotune;
  context.state([&](StageState& state) {
    initialize_tunables(state, context.pipeline.options, options,
                        {.max_jobs = max_blocks,
                         .max_calls = blocks ? max_block_elements : 1,
                         .ns = blocks ? block_ns : 0,
                         .bytes = block_bytes});
  });
  return std::make_unique<ParallelMapIterator>(context, std::move(input), function, options.deterministic);
}

}  // namespace assay::engine

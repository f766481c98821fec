#include "engine/data/stages/prefetch.hpp"

#include <optional>
#include <stdexcept>

#include "engine/data/worker_pool.hpp"

namespace assay::engine {
namespace {

constexpr int first_depth = 2, max_tuned_depth = 64;

class PrefetchIterator final : public StageIterator {
 public:
  PrefetchIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input)
      : StageIterator(context), input_(std::move(input)) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().tunables.workers.load(std::memory_order_relaxed);
    if (!pool_ && workers == 0) return input_->next(out);
    if (!pool_) start_workers();
    const auto slot = pool_->take(1, static_cast<std::size_t>(state().tunables.depth.load()));
    if (!slot) return false;
    out.swap(elements_[*slot]);
    return true;
  }

 private:
  void start_workers() {
    const auto slots = static_cast<std::size_t>(state().tunables.max_depth);
    elements_.resize(slots + 1);
    pool_.emplace(pipeline(), state(), WorkerPool::Jobs{[this](std::size_t i) { return input_->next(elements_[i]); }},
                  WorkerPool::Options{.slots = slots});
  }

  std::unique_ptr<StageIterator> input_;
  std::vector<Element> elements_;
  std::optional<WorkerPool> pool_;  // once it has its thread; last, because it must end before what it uses
};

}  // namespace

PrefetchStage::PrefetchStage(StagePtr input, int buffer_size, bool injected)
    : Stage({std::move(input)}), buffer_size_(buffer_size), injected_(injected) {
  if (buffer_size < 0 || buffer_size > max_buffered) {
    throw std::invalid_argument("prefetch: expected a buffer of 1 to " + std::to_string(max_buffered) +
                                " elements (0 is automatic), got " + std::to_string(buffer_size));
  }
}

std::string PrefetchStage::describe() const {
  return "prefetch " + (buffer_size_ == autotune ? "automatic" : std::to_string(buffer_size_)) +
         (injected_ ? ", injected" : "");
}

StagePtr PrefetchStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<PrefetchStage>(std::move(inputs.front()), buffer_size_, injected_);
}

std::unique_ptr<StageIterator> PrefetchStage::make_iterator(const IteratorContext& context) const {
  context.state([&](StageState& state) {
    state.counts_own_work = true;
    Tunables& tunables = state.tunables;
    const bool tuned = context.pipeline.options.controls.on(Control::autotune), any_size = buffer_size_ == autotune;
    tunables.tunes_workers = tuned && (injected_ || any_size);
    tunables.tunes_depth = tuned && any_size;
    tunables.max_depth = any_size ? max_tuned_depth : buffer_size_;
    tunables.workers = tunables.tunes_workers ? 0 : 1;
    tunables.depth = any_size ? first_depth : buffer_size_;
  });
  return std::make_unique<PrefetchIterator>(context, make_input_iterator(context));
}

}  // namespace assay::engine

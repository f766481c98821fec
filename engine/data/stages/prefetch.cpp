#include "engine/data/stages/prefetch.hpp"

#include <stdexcept>

#include "engine/data/run_ahead.hpp"

namespace assay::engine {
namespace {

constexpr int first_depth = 2, most_automatic = 64;

class PrefetchCursor final : public Cursor {
 public:
  PrefetchCursor(const Opening& opening, std::unique_ptr<Cursor> input)
      : Cursor(opening),
        input_(std::move(input)),
        slots_(static_cast<std::size_t>(state().knobs.most_depth)),
        elements_(slots_ + 1),
        ahead_(reading(), state(), {[this](std::size_t i) { return input_->next(elements_[i]); }}, {.slots = slots_}) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().knobs.workers.load(std::memory_order_relaxed);
    if (workers == 0 && !threaded_) return input_->next(out);
    threaded_ = true;
    const auto slot = ahead_.take(1, static_cast<std::size_t>(state().knobs.depth.load()));
    if (!slot) return false;
    out.swap(elements_[*slot]);
    return true;
  }

 private:
  std::unique_ptr<Cursor> input_;
  const std::size_t slots_;
  std::vector<Element> elements_;
  bool threaded_ = false;
  RunAhead ahead_;  // last: its thread ends before what it uses
};

}  // namespace

PrefetchStage::PrefetchStage(StagePtr input, int depth, bool injected)
    : Stage({std::move(input)}), depth_(depth), injected_(injected) {
  if (depth < 0) {
    throw std::invalid_argument("prefetch: expected 1 element ahead or more (0 is automatic), got " +
                                std::to_string(depth));
  }
}

std::string PrefetchStage::describe() const {
  return "prefetch " + (depth_ == automatic ? "automatic" : std::to_string(depth_)) + (injected_ ? ", injected" : "");
}

StagePtr PrefetchStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<PrefetchStage>(std::move(inputs.front()), depth_, injected_);
}

std::unique_ptr<Cursor> PrefetchStage::open(const Opening& opening) const {
  StageState& state = opening.state();
  if (!state.opened) {
    state.opened = true;
    const bool tuned = opening.reading.options.controls.on(Control::autotune);
    state.knobs.tunes_workers = tuned && (injected_ || depth_ == automatic);
    state.knobs.tunes_depth = tuned && depth_ == automatic;
    state.knobs.most_depth = depth_ == automatic ? most_automatic : depth_;
    state.knobs.workers = state.knobs.tunes_workers ? 0 : 1;
    state.knobs.depth = depth_ == automatic ? first_depth : depth_;
  }
  return std::make_unique<PrefetchCursor>(opening, open_input(opening));
}

}  // namespace assay::engine

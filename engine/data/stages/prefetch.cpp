#include "engine/data/stages/prefetch.hpp"

#include <optional>
#include <stdexcept>

#include "engine/data/run_ahead.hpp"

namespace assay::engine {
namespace {

constexpr int first_depth = 2, most_automatic = 64;

class PrefetchCursor final : public Cursor {
 public:
  PrefetchCursor(const Opening& opening, std::unique_ptr<Cursor> input) : Cursor(opening), input_(std::move(input)) {}

 protected:
  bool produce(Element& out) override {
    const int workers = state().knobs.workers.load(std::memory_order_relaxed);
    if (!ahead_ && workers == 0) return input_->next(out);
    if (!ahead_) run_ahead();
    const auto slot = ahead_->take(1, static_cast<std::size_t>(state().knobs.depth.load()));
    if (!slot) return false;
    out.swap(elements_[*slot]);
    return true;
  }

 private:
  void run_ahead() {
    const auto slots = static_cast<std::size_t>(state().knobs.most_depth);
    elements_.resize(slots + 1);
    ahead_.emplace(reading(), state(), RunAhead::Jobs{[this](std::size_t i) { return input_->next(elements_[i]); }},
                   RunAhead::Way{.slots = slots});
  }

  std::unique_ptr<Cursor> input_;
  std::vector<Element> elements_;
  std::optional<RunAhead> ahead_;  // once its thread is in use; last: it ends before what it uses
};

}  // namespace

PrefetchStage::PrefetchStage(StagePtr input, int depth, bool injected)
    : Stage({std::move(input)}), depth_(depth), injected_(injected) {
  if (depth < 0 || depth > most_ahead) {
    throw std::invalid_argument("prefetch: expected 1 to " + std::to_string(most_ahead) +
                                " elements ahead (0 is automatic), got " + std::to_string(depth));
  }
}

std::string PrefetchStage::describe() const {
  return "prefetch " + (depth_ == automatic ? "automatic" : std::to_string(depth_)) + (injected_ ? ", injected" : "");
}

StagePtr PrefetchStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<PrefetchStage>(std::move(inputs.front()), depth_, injected_);
}

std::unique_ptr<Cursor> PrefetchStage::open(const Opening& opening) const {
  opening.state([&](StageState& state) {
    const bool tuned = opening.reading.options.controls.on(Control::autotune);
    state.knobs.tunes_workers = tuned && (injected_ || depth_ == automatic);
    state.knobs.tunes_depth = tuned && depth_ == automatic;
    state.knobs.most_depth = depth_ == automatic ? most_automatic : depth_;
    state.knobs.workers = state.knobs.tunes_workers ? 0 : 1;
    state.knobs.depth = depth_ == automatic ? first_depth : depth_;
  });
  return std::make_unique<PrefetchCursor>(opening, open_input(opening));
}

}  // namespace assay::engine

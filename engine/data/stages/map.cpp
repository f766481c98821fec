#include "engine/data/stages/map.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::engine {
namespace {

class SequentialMap final : public StageIterator {
 public:
  SequentialMap(const IteratorContext& context, std::unique_ptr<StageIterator> input, const MapFunction& function)
      : StageIterator(context), input_(std::move(input)), map_(function, context) {}

 protected:
  bool produce(Element& out) override {
    if (!input_->next(in_)) return false;
    map_(in_, out, index_++);
    return true;
  }

 private:
  std::unique_ptr<StageIterator> input_;
  const BoundMap map_;
  Element in_;
  std::uint64_t index_ = 0;
};

std::string to_text(int number) { return number == autotune ? "automatic" : std::to_string(number); }

}  // namespace

void initialize_tunables(StageState& state, const ReadOptions& read_options, const MapOptions& options,
                         const JobLimits& limits) {
  state.counts_own_work = true;
  Tunables& tunables = state.tunables;
  const bool tuned = read_options.controls.on(Control::autotune);
  tunables.tunes_workers = tuned && options.num_parallel_calls == autotune;
  tunables.tunes_depth = tuned && options.num_parallel_calls != 1 && options.max_in_flight == autotune;
  tunables.calls_map = true;
  tunables.max_calls = limits.max_calls;
  tunables.job_ns = limits.ns;
  tunables.job_bytes = limits.bytes;
  tunables.makes_batch = limits.makes_batch;
  const int threads = options.num_parallel_calls == autotune ? read_options.cores : options.num_parallel_calls;
  tunables.workers = tunables.tunes_workers ? 0 : threads - 1;
  const bool any_depth = options.max_in_flight == autotune;
  tunables.max_depth = any_depth ? std::max(limits.max_jobs, 2 * threads) : options.max_in_flight;
  tunables.depth = any_depth ? 2 * threads : options.max_in_flight;
}

MapStage::MapStage(StagePtr input, MapFunction function, MapOptions options)
    : MapStage(std::vector{std::move(input)}, std::make_shared<const MapFunction>(std::move(function)), options) {
  if (!function_->call)
    throw std::invalid_argument("map " + function_->name + ": expected a function to call, got none");
  if (options.num_parallel_calls < 0 || options.max_in_flight < 0 || options.num_parallel_calls > max_threads ||
      options.max_in_flight > max_buffered) {
    throw std::invalid_argument("map " + function_->name + ": expected 1 to " + std::to_string(max_threads) +
                                " calls at once and 1 to " + std::to_string(max_buffered) +
                                " elements in flight (0 is automatic), got " +
                                std::to_string(options.num_parallel_calls) + " calls and " +
                                std::to_string(options.max_in_flight) + " elements in flight");
  }
  if (function_->stateful && options.num_parallel_calls != 1) {
    throw std::invalid_argument("map " + function_->name +
                                ": expected 1 call at once, because it keeps state between its calls");
  }
}

MapStage::MapStage(std::vector<StagePtr> inputs, std::shared_ptr<const MapFunction> function, MapOptions options)
    : Stage(inputs, function->identity ? randomness_of(inputs) : randomness_of(inputs).drawing()),
      function_(std::move(function)),
      options_(options) {}

StagePtr MapStage::with_options(MapOptions options) const {
  return StagePtr(new MapStage(inputs(), function_, options));  // a private constructor
}

StagePtr MapStage::with_inputs(std::vector<StagePtr> inputs) const {
  return StagePtr(new MapStage(std::move(inputs), function_, options_));
}

std::string MapStage::describe() const {
  std::string text = "map " + function_->name;
  if (options_.num_parallel_calls != 1) text += ", " + to_text(options_.num_parallel_calls) + " calls at once";
  if (!options_.deterministic) text += ", in any order";
  if (options_.max_in_flight != autotune) text += ", " + std::to_string(options_.max_in_flight) + " in flight";
  return text + (function_->stateful ? ", stateful" : "");
}

std::string MapStage::identity() const {
  const std::string order = options_.deterministic ? "" : ", in any order";
  return (function_->identity && options_.deterministic ? "" : "map " + function_->name) + order;
}

std::unique_ptr<StageIterator> MapStage::make_iterator(const IteratorContext& context) const {
  if (options_.num_parallel_calls != 1)
    return make_parallel_map_iterator(context, make_input_iterator(context), *function_, options_);
  return std::make_unique<SequentialMap>(context, make_input_iterator(context), *function_);
}

}  // namespace assay::engine

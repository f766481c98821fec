#include "engine/data/stages/map.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

class SequentialMap final : public Cursor {
 public:
  SequentialMap(const Opening& opening, std::unique_ptr<Cursor> input, const MapFunction& function)
      : Cursor(opening), input_(std::move(input)), map_(function, opening) {}

 protected:
  bool produce(Element& out) override {
    if (!input_->next(in_)) return false;
    map_(in_, out, index_++);
    return true;
  }

 private:
  std::unique_ptr<Cursor> input_;
  const BoundMap map_;
  Element in_;
  std::uint64_t index_ = 0;
};

std::string number_or_automatic(int number) { return number == automatic ? "automatic" : std::to_string(number); }

}  // namespace

void set_first_knobs(StageState& state, const ReadOptions& options, const MapWay& way, const Jobs& jobs) {
  Knobs& knobs = state.knobs;
  const bool tuned = options.controls.on(Control::autotune);
  knobs.tunes_workers = tuned && way.calls == automatic;
  knobs.tunes_depth = tuned && way.calls != 1 && way.in_flight == automatic;
  knobs.calls_map = true;
  knobs.most_calls = jobs.most_calls;
  knobs.job_ns = jobs.ns;
  knobs.job_bytes = jobs.bytes;
  knobs.makes_batch = jobs.makes_batch;
  const int all = way.calls == automatic ? options.cores : way.calls;
  knobs.workers = knobs.tunes_workers ? 0 : all - 1;
  // As many calls as there may be must fit.
  knobs.most_depth = way.in_flight == automatic ? std::max(jobs.most, 2 * all) : way.in_flight;
  knobs.depth = way.in_flight == automatic ? 2 * all : way.in_flight;
}

MapStage::MapStage(StagePtr input, MapFunction function, MapWay way)
    : MapStage(std::vector{std::move(input)}, std::make_shared<const MapFunction>(std::move(function)), way) {
  if (!function_->call) throw std::invalid_argument("map " + function_->name + ": it has no function to call");
  if (way.calls < 0 || way.in_flight < 0 || way.calls > most_threads || way.in_flight > most_ahead) {
    throw std::invalid_argument("map " + function_->name + ": expected 1 to " + std::to_string(most_threads) +
                                " calls at once and 1 to " + std::to_string(most_ahead) +
                                " elements in flight (0 is automatic), got " + std::to_string(way.calls) +
                                " calls and " + std::to_string(way.in_flight) + " elements in flight");
  }
  if (function_->stateful && way.calls != 1) {
    throw std::invalid_argument(
        "map " + function_->name +
        " keeps state between its calls: several at once would change what it gives; ask for 1");
  }
}

MapStage::MapStage(std::vector<StagePtr> inputs, std::shared_ptr<const MapFunction> function, MapWay way)
    : Stage(inputs, function->identity ? randomness_of(inputs) : randomness_of(inputs).drawing()),
      function_(std::move(function)),
      way_(way) {}

StagePtr MapStage::in_way(MapWay way) const {
  return StagePtr(new MapStage(inputs(), function_, way));  // the constructor is private
}

StagePtr MapStage::over(std::vector<StagePtr> inputs) const {
  return StagePtr(new MapStage(std::move(inputs), function_, way_));
}

std::string MapStage::describe() const {
  std::string text = "map " + function_->name;
  if (way_.calls != 1) text += ", " + number_or_automatic(way_.calls) + " calls at once";
  if (!way_.in_order) text += ", in any order";
  if (way_.in_flight != automatic) text += ", " + std::to_string(way_.in_flight) + " in flight";
  return text + (function_->stateful ? ", stateful" : "");
}

std::string MapStage::identity() const {
  const std::string order = way_.in_order ? "" : ", in any order";
  return (function_->identity && way_.in_order ? "" : "map " + function_->name) + order;
}

std::unique_ptr<Cursor> MapStage::open(const Opening& opening) const {
  if (way_.calls != 1) return open_parallel_map(opening, open_input(opening), *function_, way_);
  return std::make_unique<SequentialMap>(opening, open_input(opening), *function_);
}

}  // namespace assay::engine

#pragma once
#include <functional>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// Which element a map is called for: what its random numbers follow from, so that they are the same on any number of
/// threads and differ between epochs, between the maps of a pipeline, and between the shards that maps read.
struct MapCall {
  std::uint64_t seed = 0, epoch = 0;
  std::uint64_t stage = 0;  // Randomness::key of the map
  std::uint64_t index = 0;  // of the element in this epoch, from 0

  /// What core/random.hpp's functions take as seed, with `index` as stream.
  std::uint64_t random_seed() const { return (seed + 0x9E3779B97F4A7C15ULL * (epoch + 1)) ^ stage; }
};

/// A function from element to element. It writes with `out.resize` and `place`, and may borrow nothing.
struct MapFunction {
  std::string name;  // also says what it does to a cache file: another function wants another name
  std::function<void(const Element& in, Element& out, const MapCall& call)> call;
  bool stateful = false;  // keeps state between calls: never run on several threads by a rewrite
  bool identity = false;  // gives what it takes
};

struct MapWay {
  int calls = 1;  // at once; 1 calls it in the thread that asks for an element, `automatic` leaves it to the pipeline
  bool in_order = true;
  int in_flight = automatic;  // elements fetched and not yet taken; automatic counts in blocks or batches
};

/// One call of a function an element.
class MapStage final : public Stage {
 public:
  /// Throws std::invalid_argument for a number that is negative or above `most_threads` and `most_ahead`, and for a
  /// stateful function on several threads.
  MapStage(StagePtr input, MapFunction function, MapWay way);

  const MapFunction& function() const { return *function_; }
  const MapWay& way() const { return way_; }
  StagePtr in_way(MapWay way) const;

  std::string describe() const override;
  std::string identity() const override;
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;
  std::size_t least_fields() const override { return 1; }
  bool runs_ahead() const override { return way_.calls != 1; }

 private:
  MapStage(std::vector<StagePtr> inputs, std::shared_ptr<const MapFunction> function, MapWay way);

  std::shared_ptr<const MapFunction> function_;
  MapWay way_;
};

/// A map bound to an epoch: calls the function for an index, and says which one failed.
class BoundMap {
 public:
  BoundMap(const MapFunction& function, const Opening& opening)
      : function_(function),
        where_("map " + function.name),
        reading_(opening.reading),
        call_{opening.reading.options.seed, opening.epoch, opening.random_key, 0} {}
  void operator()(const Element& in, Element& out, std::uint64_t index) const {
    reading_.throw_if_stopped();  // nobody may be there any more to take the rows of a batch
    MapCall call = call_;
    call.index = index;
    with_place(where_, index, [&] { function_.call(in, out, call); });
  }

 private:
  const MapFunction& function_;
  const std::string where_;
  const Reading& reading_;
  MapCall call_;
};

/// How a stage calls its map: `most` jobs in flight where nobody says how many, each of so many calls or, above 0, of
/// as many as take so many ns and give at most so many bytes; whether a job makes one element of the stage.
struct Jobs {
  int most = 1, most_calls = 1;
  double ns = 0, bytes = 0;
  bool makes_batch = false;
};
/// The first knobs of a stage that calls a map on several threads at once, the asking one among them. With autotuning
/// off `automatic` means every core.
void set_first_knobs(StageState& state, const ReadOptions& options, const MapWay& way, const Jobs& jobs);

/// parallel_map.cpp
std::unique_ptr<Cursor> open_parallel_map(const Opening& opening, std::unique_ptr<Cursor> input,
                                          const MapFunction& function, const MapWay& way);

}  // namespace assay::engine

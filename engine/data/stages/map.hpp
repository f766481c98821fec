#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// The element that a map is called for. Random numbers follow from it alone, so that they are the same on any number
/// of threads. They differ between epochs, between the maps of a pipeline, and between the shards that maps read.
struct MapCall {
  std::uint64_t seed = 0, epoch = 0;
  std::uint64_t stage = 0;  // Randomness::key of the map
  std::uint64_t index = 0;  // of the element in this epoch, from 0

  /// The seed for the functions of core/random.hpp, with `index` as stream.
  std::uint64_t random_seed() const { return (seed + 0x9E3779B97F4A7C15ULL * (epoch + 1)) ^ stage; }
};

/// A function from element to element. It writes with `out.resize` and `place`, and must not borrow.
struct MapFunction {
  std::string name;  // also tells cache files apart: another function needs another name
  std::function<void(const Element& in, Element& out, const MapCall& call)> call;
  bool stateful = false;  // keeps state between calls, so that no rewrite may call it on several threads
  bool identity = false;  // gives what it takes
};

struct MapOptions {
  int num_parallel_calls = 1;    // 1: in the thread that asks for an element; `autotune`: chosen while reading
  bool deterministic = true;     // elements keep their order
  int max_in_flight = autotune;  // elements that are fetched and not yet taken
};

/// Calls a function for each element.
class MapStage final : public Stage {
 public:
  /// Throws std::invalid_argument for a negative number, for one above `max_threads` or `max_buffered`, and for a
  /// stateful function on several threads.
  MapStage(StagePtr input, MapFunction function, MapOptions options);

  const MapFunction& function() const { return *function_; }
  const MapOptions& options() const { return options_; }
  StagePtr with_options(MapOptions options) const;

  std::string describe() const override;
  std::string identity() const override;
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
  std::size_t min_fields() const override { return 1; }
  bool prefetches() const override { return options_.num_parallel_calls != 1; }

 private:
  MapStage(std::vector<StagePtr> inputs, std::shared_ptr<const MapFunction> function, MapOptions options);

  std::shared_ptr<const MapFunction> function_;
  MapOptions options_;
};

/// A map in one epoch: calls the function for an index, and names the map and the element in errors.
class BoundMap {
 public:
  BoundMap(const MapFunction& function, const IteratorContext& context)
      : function_(function),
        location_("map " + function.name),
        pipeline_(context.pipeline),
        call_{context.pipeline.options.seed, context.epoch, context.random_key, 0} {}
  void operator()(const Element& in, Element& out, std::uint64_t index) const {
    pipeline_.throw_if_stopped();  // in the middle of a batch that nobody will take
    MapCall call = call_;
    call.index = index;
    with_location(location_, index, [&] { function_.call(in, out, call); });
  }

 private:
  const MapFunction& function_;
  const std::string location_;
  const PipelineContext& pipeline_;
  MapCall call_;
};

/// How a stage groups the calls of its map into jobs.
struct JobLimits {
  int max_jobs = 1;          // in flight, where the user does not say how many
  int max_calls = 1;         // in one job
  double ns = 0;             // target time of a job; 0: every job has max_calls
  double bytes = 0;          // largest output of a job, where ns is above 0
  bool makes_batch = false;  // one job gives one element of the stage
};
/// The first tunables of a stage that may call its map on several threads, the asking one among them. With autotuning
/// off, `autotune` stands for every core.
void initialize_tunables(StageState& state, const ReadOptions& read_options, const MapOptions& options,
                         const JobLimits& limits);

/// parallel_map.cpp
std::unique_ptr<StageIterator> make_parallel_map_iterator(const IteratorContext& context,
                                                          std::unique_ptr<StageIterator> input,
                                                          const MapFunction& function, const MapOptions& options);

}  // namespace assay::engine

#include "engine/data/stage_iterator.hpp"

namespace assay::engine {

bool StageIterator::timed_produce(Element& out) {
  pipeline_.throw_if_stopped();
  const std::int64_t begin = pipeline_.now_ns();
  const bool got = produce(out);
  const std::int64_t took = pipeline_.now_ns() - begin;
  state_.counters.pulled.add(took * sampler_.weight());
  sampler_.took(took);
  if (got) state_.counters.bytes.set(static_cast<std::int64_t>(out.bytes()));
  return got;
}

}  // namespace assay::engine

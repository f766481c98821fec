#include "engine/data/stage.hpp"

namespace assay::engine {
namespace {

void print(const Stage& stage, std::size_t depth, std::string& text) {
  text += std::string(2 * depth, ' ') + stage.describe() + "\n";
  for (const StagePtr& input : stage.inputs()) print(*input, depth + 1, text);
}

}  // namespace

bool Cursor::timed_produce(Element& out) {
  reading_.throw_if_cancelled();
  const std::int64_t begin = clock_ns();
  const bool got = produce(out);
  const std::int64_t took = clock_ns() - begin;
  state_.counters.pulled.add(took * sampler_.weight());
  sampler_.took(took);
  if (got) state_.counters.bytes.add(static_cast<std::int64_t>(out.bytes()) - state_.counters.bytes.get());
  return got;
}

std::unique_ptr<Cursor> Stage::open_input(const Opening& opening, std::size_t i) const {
  return open_input(opening, i, opening.epoch);
}

std::unique_ptr<Cursor> Stage::open_input(const Opening& opening, std::size_t i, std::uint64_t epoch) const {
  return inputs_[i]->open({opening.reading, epoch, opening.path + "." + std::to_string(i), inputs_[i]->describe()});
}

std::string to_string(const Stage& last) {
  std::string text;
  print(last, 0, text);
  return text;
}

std::string identity_of(const Stage& last) {
  std::string text = last.identity();
  for (const StagePtr& input : last.inputs()) {
    const std::string before = identity_of(*input);
    text += text.empty() ? before : " < " + before;
  }
  return text;
}

}  // namespace assay::engine

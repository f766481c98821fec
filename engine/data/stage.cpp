#include "engine/data/stage.hpp"

namespace assay::engine {
namespace {

void print(const Stage& stage, std::size_t depth, std::string& text) {
  text += std::string(2 * depth, ' ') + stage.describe() + "\n";
  for (const StagePtr& input : stage.inputs()) print(*input, depth + 1, text);
}

}  // namespace

bool Cursor::timed_produce(Element& out) {
  reading_.throw_if_stopped();
  const std::int64_t begin = reading_.now_ns();
  const bool got = produce(out);
  const std::int64_t took = reading_.now_ns() - begin;
  state_.counters.pulled.add(took * sampler_.weight());
  sampler_.took(took);
  if (got) state_.counters.bytes.add(static_cast<std::int64_t>(out.bytes()) - state_.counters.bytes.get());
  return got;
}

Stage::Stage(std::vector<StagePtr> inputs) : inputs_(std::move(inputs)), randomness_(randomness_of(inputs_)) {}

Randomness randomness_of(const std::vector<StagePtr>& inputs) {
  Randomness result;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result = i == 0 ? inputs[i]->randomness() : result.beside(inputs[i]->randomness());
  return result;
}

std::unique_ptr<Cursor> Stage::open_at(Reading& reading, std::uint64_t epoch, const std::string& path,
                                       std::uint64_t random_before) const {
  return open({reading, epoch, path, describe(), random_before, randomness_.key(random_before)});
}

std::unique_ptr<Cursor> Stage::open_input(const Opening& opening, std::size_t i) const {
  return open_input(opening, i, opening.epoch);
}

std::unique_ptr<Cursor> Stage::open_input(const Opening& opening, std::size_t i, std::uint64_t epoch) const {
  std::uint64_t before = opening.random_before;
  for (std::size_t j = 0; j < i; ++j) before += inputs_[j]->randomness().stages;
  return inputs_[i]->open_at(opening.reading, epoch, opening.path + "." + std::to_string(i), before);
}

std::string to_string(const Stage& last) {
  std::string text;
  print(last, 0, text);
  return text;
}

std::string identity_of(const Stage& last) {
  std::string text = last.identity();
  for (const StagePtr& input : last.inputs()) text = joined(text, identity_of(*input));
  return text;
}

std::string joined(const std::string& identity, const std::string& below) {
  return identity.empty() || below.empty() ? identity + below : identity + " < " + below;
}

}  // namespace assay::engine

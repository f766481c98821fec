#include "engine/data/stage.hpp"

namespace assay::engine {
namespace {

void print(const Stage& stage, std::size_t depth, std::string& text) {
  text += std::string(2 * depth, ' ') + stage.describe() + "\n";
  for (const StagePtr& input : stage.inputs()) print(*input, depth + 1, text);
}

}  // namespace

Stage::Stage(std::vector<StagePtr> inputs) : inputs_(std::move(inputs)), randomness_(randomness_of(inputs_)) {}

Randomness randomness_of(const std::vector<StagePtr>& inputs) {
  Randomness result;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result = i == 0 ? inputs[i]->randomness() : result.beside(inputs[i]->randomness());
  return result;
}

std::unique_ptr<StageIterator> Stage::make_iterator_at(PipelineContext& pipeline, std::uint64_t epoch,
                                                       const std::string& path, std::uint64_t random_before) const {
  return make_iterator({pipeline, epoch, path, describe(), random_before, randomness_.key(random_before)});
}

std::unique_ptr<StageIterator> Stage::make_input_iterator(const IteratorContext& context, std::size_t i) const {
  return make_input_iterator(context, i, context.epoch);
}

std::unique_ptr<StageIterator> Stage::make_input_iterator(const IteratorContext& context, std::size_t i,
                                                          std::uint64_t epoch) const {
  std::uint64_t before = context.random_before;
  for (std::size_t j = 0; j < i; ++j) before += inputs_[j]->randomness().stages;
  return inputs_[i]->make_iterator_at(context.pipeline, epoch, context.path + "." + std::to_string(i), before);
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

std::string joined(const std::string& identity, const std::string& input_identity) {
  return identity.empty() || input_identity.empty() ? identity + input_identity : identity + " < " + input_identity;
}

}  // namespace assay::engine

#include "engine/data/stages/shard.hpp"

#include <stdexcept>

namespace assay::engine {
namespace {

class ShardIterator final : public StageIterator {
 public:
  ShardIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, std::int64_t shards,
                std::int64_t index)
      : StageIterator(context), input_(std::move(input)), shards_(shards), ahead_(index) {}

 protected:
  bool produce(Element& out) override {
    for (; ahead_ > 0; --ahead_) {
      if (!input_->next(out)) return false;
    }
    ahead_ = shards_ - 1;
    return input_->next(out);
  }

 private:
  std::unique_ptr<StageIterator> input_;
  const std::int64_t shards_;
  std::int64_t ahead_;  // elements of other shards before the next one of this
};

}  // namespace

ShardStage::ShardStage(const StagePtr& input, std::int64_t shards, std::int64_t index)
    : Stage({input}, shards == 1 ? input->randomness() : input->randomness().shard(shards, index)),
      shards_(shards),
      index_(index) {
  if (shards <= 0 || index < 0 || index >= shards) {
    throw std::invalid_argument("shard: expected an index from 0 to the number of shards less 1, got index " +
                                std::to_string(index) + " of " + std::to_string(shards));
  }
}

std::string ShardStage::describe() const {
  return "shard " + std::to_string(index_) + " of " + std::to_string(shards_);
}

StagePtr ShardStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShardStage>(inputs.front(), shards_, index_);
}

std::unique_ptr<StageIterator> ShardStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<ShardIterator>(context, make_input_iterator(context), shards_, index_);
}

}  // namespace assay::engine

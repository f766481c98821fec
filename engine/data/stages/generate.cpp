#include "engine/data/stages/generate.hpp"

#include <stdexcept>

namespace assay::engine {
namespace {

class GenerateIterator final : public StageIterator {
 public:
  GenerateIterator(const IteratorContext& context, std::int64_t count, const MakeElement& make)
      : StageIterator(context),
        location_(context.description),
        count_(static_cast<std::uint64_t>(count)),
        make_(make) {}

 protected:
  bool produce(Element& out) override {
    pipeline().throw_if_stopped();  // because an element may take long
    if (index_ == count_) return false;
    const std::uint64_t index = index_++;
    with_location(location_, index, [&] { make_(index, out); });
    return true;
  }

 private:
  const std::string location_;
  const std::uint64_t count_;
  const MakeElement& make_;
  std::uint64_t index_ = 0;
};

}  // namespace

GenerateStage::GenerateStage(std::string name, std::int64_t count, MakeElement make)
    : Stage({}), name_(std::move(name)), count_(count), make_(std::move(make)) {
  if (count <= 0) {
    throw std::invalid_argument("generate " + name_ + ": expected 1 element or more, got " + std::to_string(count));
  }
}

std::string GenerateStage::describe() const { return "generate " + name_ + ", " + std::to_string(count_); }

std::unique_ptr<StageIterator> GenerateStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<GenerateIterator>(context, count_, make_);
}

}  // namespace assay::engine

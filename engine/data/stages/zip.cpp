#include "engine/data/stages/zip.hpp"

#include <stdexcept>

namespace assay::engine {
namespace {

class ZipIterator final : public StageIterator {
 public:
  ZipIterator(const IteratorContext& context, std::vector<std::unique_ptr<StageIterator>> inputs)
      : StageIterator(context), location_(context.description), inputs_(std::move(inputs)), in_(inputs_.size()) {}

 protected:
  bool produce(Element& out) override {
    std::size_t fields = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]->next(in_[i])) return false;
      fields += in_[i].size();
    }
    with_location(location_, index_++, [&] { out.resize(fields); });
    std::size_t next = 0;
    for (Element& in : in_) {
      for (Field& field : in) std::swap(out[next++], field);
    }
    return true;
  }

 private:
  const std::string location_;
  std::vector<std::unique_ptr<StageIterator>> inputs_;
  std::vector<Element> in_;
  std::uint64_t index_ = 0;
};

}  // namespace

ZipStage::ZipStage(std::vector<StagePtr> pipelines) : Stage(std::move(pipelines)) {
  if (inputs().empty()) throw std::invalid_argument("zip: expected 1 pipeline or more, got none");
  if (const std::size_t fields = min_fields(); fields > Element::max_fields) {
    throw std::invalid_argument("zip: an element has at most " + std::to_string(Element::max_fields) +
                                " tensors, got " + std::to_string(fields) + " from " + std::to_string(inputs().size()) +
                                " pipelines; combine some of them in a map before it");
  }
}

std::size_t ZipStage::min_fields() const {
  std::size_t fields = 0;
  for (const StagePtr& input : inputs()) fields += input->min_fields();
  return fields;
}

std::unique_ptr<StageIterator> ZipStage::make_iterator(const IteratorContext& context) const {
  std::vector<std::unique_ptr<StageIterator>> cursors;
  for (std::size_t i = 0; i < inputs().size(); ++i) cursors.push_back(make_input_iterator(context, i));
  return std::make_unique<ZipIterator>(context, std::move(cursors));
}

}  // namespace assay::engine

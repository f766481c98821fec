#include <stdexcept>

#include "engine/data/stages/order.hpp"

namespace assay::engine {
namespace {

class ZipCursor final : public Cursor {
 public:
  ZipCursor(const Opening& opening, std::vector<std::unique_ptr<Cursor>> inputs)
      : Cursor(opening), where_(opening.description), inputs_(std::move(inputs)), in_(inputs_.size()) {}

 protected:
  bool produce(Element& out) override {
    std::size_t fields = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]->next(in_[i])) return false;
      fields += in_[i].size();
    }
    with_place(where_, index_++, [&] { out.resize(fields); });
    std::size_t next = 0;
    for (Element& in : in_) {
      for (Field& field : in) std::swap(out[next++], field);
    }
    return true;
  }

 private:
  const std::string where_;
  std::vector<std::unique_ptr<Cursor>> inputs_;
  std::vector<Element> in_;
  std::uint64_t index_ = 0;
};

}  // namespace

ZipStage::ZipStage(std::vector<StagePtr> pipelines) : Stage(std::move(pipelines)) {
  if (inputs().empty()) throw std::invalid_argument("zip: expected 1 pipeline or more, got none");
  if (const std::size_t fields = least_fields(); fields > Element::most_fields) {
    throw std::invalid_argument("zip: an element has at most " + std::to_string(Element::most_fields) +
                                " tensors, got " + std::to_string(fields) + " from " + std::to_string(inputs().size()) +
                                " pipelines; put some together in a map before it");
  }
}

std::size_t ZipStage::least_fields() const {
  std::size_t fields = 0;
  for (const StagePtr& input : inputs()) fields += input->least_fields();
  return fields;
}

std::unique_ptr<Cursor> ZipStage::open(const Opening& opening) const {
  std::vector<std::unique_ptr<Cursor>> cursors;
  for (std::size_t i = 0; i < inputs().size(); ++i) cursors.push_back(open_input(opening, i));
  return std::make_unique<ZipCursor>(opening, std::move(cursors));
}

}  // namespace assay::engine

#include <stdexcept>

#include "engine/data/stages/order.hpp"

namespace assay::engine {
namespace {

class ZipCursor final : public Cursor {
 public:
  ZipCursor(const Opening& opening, std::vector<std::unique_ptr<Cursor>> inputs)
      : Cursor(opening), inputs_(std::move(inputs)), in_(inputs_.size()) {}

 protected:
  bool produce(Element& out) override {
    std::size_t fields = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]->next(in_[i])) return false;
      fields += in_[i].size();
    }
    out.resize(fields);
    std::size_t next = 0;
    for (Element& in : in_) {
      for (Field& field : in) std::swap(out[next++], field);
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<Cursor>> inputs_;
  std::vector<Element> in_;
};

}  // namespace

ZipStage::ZipStage(std::vector<StagePtr> pipelines) : Stage(std::move(pipelines)) {
  if (inputs().empty()) throw std::invalid_argument("zip: expected 1 pipeline or more, got none");
}

std::unique_ptr<Cursor> ZipStage::open(const Opening& opening) const {
  std::vector<std::unique_ptr<Cursor>> cursors;
  for (std::size_t i = 0; i < inputs().size(); ++i) cursors.push_back(open_input(opening, i));
  return std::make_unique<ZipCursor>(opening, std::move(cursors));
}

}  // namespace assay::engine

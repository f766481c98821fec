#include <stdexcept>

#include "engine/data/stages/sources.hpp"

namespace assay::engine {
namespace {

class GenerateCursor final : public Cursor {
 public:
  GenerateCursor(const Opening& opening, std::int64_t count, const MakeElement& make)
      : Cursor(opening), where_(opening.description), count_(static_cast<std::uint64_t>(count)), make_(make) {}

 protected:
  bool produce(Element& out) override {
    reading().throw_if_stopped();  // an element may take long
    if (index_ == count_) return false;
    const std::uint64_t index = index_++;
    with_place(where_, index, [&] { make_(index, out); });
    return true;
  }

 private:
  const std::string where_;
  const std::uint64_t count_;
  const MakeElement& make_;
  std::uint64_t index_ = 0;
};

}  // namespace

GenerateStage::GenerateStage(std::string name, std::int64_t count, MakeElement make)
    : Stage({}), name_(std::move(name)), count_(count), make_(std::move(make)) {
  if (count <= 0) {
    throw std::invalid_argument("generate " + name_ + ": the source is empty: expected 1 element or more, got " +
                                std::to_string(count));
  }
}

std::string GenerateStage::describe() const { return "generate " + name_ + ", " + std::to_string(count_); }

std::unique_ptr<Cursor> GenerateStage::open(const Opening& opening) const {
  return std::make_unique<GenerateCursor>(opening, count_, make_);
}

}  // namespace assay::engine

#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

using MakeElement = std::function<void(std::uint64_t index, Element& out)>;

/// Elements that a function makes.
class GenerateStage final : public Stage {
 public:
  GenerateStage(std::string name, std::int64_t count, MakeElement make);

  std::string describe() const override;
  StagePtr with_inputs(std::vector<StagePtr>) const override {
    return std::make_shared<GenerateStage>(name_, count_, make_);
  }
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::string name_;
  std::int64_t count_;
  MakeElement make_;
};

}  // namespace assay::engine

#pragma once
#include <functional>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// Rows of tensors, one an element, in order; lent, not copied.
class ArraysStage final : public Stage {
 public:
  /// Throws std::invalid_argument where there is no tensor, a scalar, no row, numbers of rows that differ, or more
  /// tensors than an element has.
  explicit ArraysStage(std::vector<Tensor> arrays);

  std::string describe() const override;
  /// With a checksum of the values.
  std::string identity() const override;
  StagePtr over(std::vector<StagePtr>) const override { return std::make_shared<ArraysStage>(arrays_); }
  std::unique_ptr<Cursor> open(const Opening& opening) const override;
  std::size_t least_fields() const override { return arrays_.size(); }

 private:
  std::vector<Tensor> arrays_;
};

using MakeElement = std::function<void(std::uint64_t index, Element& out)>;

/// `count` elements that a function makes.
class GenerateStage final : public Stage {
 public:
  GenerateStage(std::string name, std::int64_t count, MakeElement make);

  std::string describe() const override;
  StagePtr over(std::vector<StagePtr>) const override { return std::make_shared<GenerateStage>(name_, count_, make_); }
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::string name_;
  std::int64_t count_;
  MakeElement make_;
};

}  // namespace assay::engine

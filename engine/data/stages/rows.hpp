#pragma once
#include "engine/data/element.hpp"

namespace assay::engine {

/// Puts elements into the rows of a batch. The shapes of the first element are everyone's.
class RowFiller {
 public:
  /// `where` names the stage in errors. The batch must outlive the filling.
  RowFiller(const std::string& where, Element& batch, std::int64_t rows) : where_(where), batch_(batch), rows_(rows) {}

  /// Aims `element`'s fields at the next row, so that a function that writes them writes the batch. The first row of a
  /// batch has no place yet.
  void aim(Element& element) const;
  /// Adds the element: copies what is not in its row already. `index` is its place in the epoch. Throws PipelineError
  /// that names both shapes where it is not like the first.
  void add(const Element& element, std::uint64_t index) {
    if (count_ == 0) begin(element);
    if (element.size() != batch_.size()) differs(element, index);
    for (std::size_t i = 0; i < element.size(); ++i) {
      const Field& field = element[i];
      if (field.dtype() != row_dtype_[i] || field.shape() != row_shape_[i]) differs(element, index);
      std::byte* const row = row_[i];
      if (field.data() != row) copy(row, field.data(), field.bytes());
      row_[i] += field.bytes();
    }
    ++count_;
  }
  std::int64_t count() const { return count_; }
  /// Cuts the batch to the rows that are there.
  void finish();

 private:
  void begin(const Element& first);
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  [[noreturn]] void differs(const Element& element, std::uint64_t index) const;

  const std::string& where_;
  Element& batch_;
  std::int64_t rows_, count_ = 0;
  std::array<std::byte*, Element::most_fields> row_{};
  std::array<Shape, Element::most_fields> row_shape_{};
  std::array<DType, Element::most_fields> row_dtype_{};
};

}  // namespace assay::engine

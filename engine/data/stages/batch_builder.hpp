#pragma once
#include "engine/data/element.hpp"

namespace assay::engine {

/// Copies elements into the rows of a batch. All elements have the dtypes and shapes of the first one. A batch that
/// would be large grows with the elements that come, because there may be fewer than `rows`.
class BatchBuilder {
 public:
  /// `location` names the stage in errors. It and the batch must outlive the builder.
  BatchBuilder(const std::string& location, Element& batch, std::int64_t rows)
      : location_(location), batch_(batch), rows_(rows) {}

  /// Makes a function that writes `element` write into the next row of the batch, if there is room for it already.
  void redirect_to_next_row(Element& element) const;
  /// Adds an element: copies what is not in the row already. `index` is its place in the epoch. Throws PipelineError,
  /// with both shapes, where the element is not like the first.
  void add(const Element& element, std::uint64_t index) {
    if (count_ == room_) make_room(element, index);
    if (element.size() != batch_.size()) throw_mismatch(element, index);
    for (std::size_t i = 0; i < element.size(); ++i) {
      const Field& field = element[i];
      if (field.dtype() != row_dtype_[i] || field.shape() != row_shape_[i]) throw_mismatch(element, index);
      std::byte* const row = row_[i];
      if (field.data() != row) copy(row, field.data(), field.bytes());
      row_[i] += field.bytes();
    }
    ++count_;
  }
  std::int64_t count() const { return count_; }
  /// Cuts the batch to the rows that were added.
  void finish();

 private:
  void make_room(const Element& element, std::uint64_t index);
  void begin(const Element& first);
  void grow();
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  [[noreturn]] void throw_mismatch(const Element& element, std::uint64_t index) const;

  const std::string& location_;
  Element& batch_;
  std::int64_t rows_, count_ = 0, room_ = 0;
  std::array<std::byte*, Element::max_fields> row_{};
  std::array<Shape, Element::max_fields> row_shape_{};
  std::array<DType, Element::max_fields> row_dtype_{};
};

}  // namespace assay::engine

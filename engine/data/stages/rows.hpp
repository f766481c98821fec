#pragma once
#include "engine/data/element.hpp"

namespace assay::engine {

/// Puts elements into the rows of a batch. The shapes of the first element are everyone's. A batch that would be large
/// grows with what comes: it may be more rows than there are.
class RowFiller {
 public:
  /// `where` names the stage in errors. The batch must outlive the filling.
  RowFiller(const std::string& where, Element& batch, std::int64_t rows) : where_(where), batch_(batch), rows_(rows) {}

  /// Aims `element`'s fields at the next row, so that a function that writes them writes the batch. Where there is no
  /// room for one yet it aims nowhere.
  void aim(Element& element) const;
  /// Adds the element: copies what is not in its row already. `index` is its place in the epoch. Throws PipelineError
  /// that names both shapes where it is not like the first.
  void add(const Element& element, std::uint64_t index) {
    if (count_ == room_) make_room(element, index);
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
  void make_room(const Element& element, std::uint64_t index);
  void begin(const Element& first);
  void grow();
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  [[noreturn]] void differs(const Element& element, std::uint64_t index) const;

  const std::string& where_;
  Element& batch_;
  std::int64_t rows_, count_ = 0, room_ = 0;
  std::array<std::byte*, Element::most_fields> row_{};
  std::array<Shape, Element::most_fields> row_shape_{};
  std::array<DType, Element::most_fields> row_dtype_{};
};

}  // namespace assay::engine

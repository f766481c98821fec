#pragma once
#include <optional>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// How elements are put out of order: from a buffer that holds the next `buffer` of them, one drawn at random.
struct ShuffleWay {
  std::int64_t buffer = 1;
  std::optional<std::uint64_t> seed{};  // the reader's, where it is left out
  bool reshuffle = true;                // another order in every epoch
};

class ShuffleStage final : public Stage {
 public:
  /// Throws std::invalid_argument where the buffer is not above 0.
  ShuffleStage(StagePtr input, ShuffleWay way);

  const ShuffleWay& way() const { return way_; }
  std::string describe() const override;
  std::string identity() const override { return way_.buffer == 1 ? "" : describe(); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  ShuffleWay way_;
};

/// A shuffle and the repeat after it in one, in their order: while the buffer is emptied at the end of an epoch, the
/// next epoch's elements take the places that get free. What data.fuse_shuffle_repeat makes of the two.
class ShuffleRepeatStage final : public Stage {
 public:
  ShuffleRepeatStage(StagePtr input, ShuffleWay way, std::int64_t times);

  std::string describe() const override;
  std::string identity() const override;
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  ShuffleWay way_;
  std::int64_t times_;
};

/// Elements in a random order that follows from seed and epoch alone.
class ShuffleBuffer {
 public:
  ShuffleBuffer(const ShuffleWay& way, const ReadOptions& options, std::uint64_t epoch);

  bool full() const { return held_ == most_; }
  bool empty() const { return held_ == 0; }
  /// The next free place, to be filled and then kept.
  Element& room() {
    if (held_ == elements_.size()) elements_.emplace_back();
    return elements_[held_];
  }
  void keep() { ++held_; }
  /// One at random out, its place free.
  void draw(Element& out);

 private:
  std::uint64_t seed_, stream_, drawn_ = 0;
  std::size_t most_, held_ = 0;
  std::vector<Element> elements_;  // as many as were ever held
};

}  // namespace assay::engine

#pragma once
#include <optional>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// Elements are drawn at random from a buffer that holds the next `buffer_size` of them.
struct ShuffleOptions {
  std::int64_t buffer_size = 1;
  std::optional<std::uint64_t> seed{};  // equal seeds give equal orders; without one it follows from the reader's seed
  bool reshuffle_each_epoch = true;
};

class ShuffleStage final : public Stage {
 public:
  /// Throws std::invalid_argument where the buffer size is below 1.
  ShuffleStage(const StagePtr& input, ShuffleOptions options);

  const ShuffleOptions& options() const { return options_; }
  std::string describe() const override;
  std::string identity() const override { return options_.buffer_size == 1 ? "" : describe(); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  ShuffleOptions options_;
};

/// A shuffle and the repeat after it as one stage, which gives the same order: data.fuse_shuffle_repeat makes it. While
/// the buffer gets empty at the end of an epoch, elements of the next epoch fill it.
class ShuffleRepeatStage final : public Stage {
 public:
  ShuffleRepeatStage(const StagePtr& input, ShuffleOptions options, std::int64_t times);

  std::string describe() const override;
  std::string identity() const override;
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  ShuffleOptions options_;
  std::int64_t times_;
};

/// The buffer of a shuffle in one epoch. The order follows from seed and epoch alone.
class ShuffleBuffer {
 public:
  /// `context` is the one of the shuffle.
  ShuffleBuffer(const ShuffleOptions& options, const IteratorContext& context, std::uint64_t epoch,
                std::unique_ptr<StageIterator> input);

  /// Adds the next element of the input. False where the buffer is full or the input has ended. An error of the input
  /// waits until the buffer is empty.
  bool add();
  /// Takes a random element out; false at the end. Throws what the input threw, once the buffer is empty.
  bool draw(Element& out);
  bool input_ended() const { return input_->ended(); }
  /// Whether the input threw: draw() will throw in the end.
  bool failed() const { return error_ != nullptr; }

 private:
  std::unique_ptr<StageIterator> input_;
  std::uint64_t seed_, stream_, drawn_ = 0;
  std::size_t max_size_, size_ = 0;
  std::vector<Element> elements_;  // the first size_ are in the buffer, the others keep their memory
  std::exception_ptr error_;
};

}  // namespace assay::engine

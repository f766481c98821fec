#include "engine/data/reader.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

// Looks are close together at first, where much is to be found, and rare later.
constexpr std::int64_t first_look_ns = 1'000'000, rarest_look_ns = 1'000'000'000;

ReadOptions valid(ReadOptions options) {
  const auto fits = [](int number) { return number > 0 && number <= most_threads; };
  if (!fits(options.cores) || !fits(options.training_threads)) {
    throw std::invalid_argument("a reader needs 1 core and 1 training thread or more, and has at most " +
                                std::to_string(most_threads) + " of each; got " + std::to_string(options.cores) +
                                " cores and " + std::to_string(options.training_threads) + " training threads");
  }
  return options;
}

}  // namespace

Reader::Reader(const Pipeline& pipeline, ReadOptions options)
    : rewritten_(rewrite(pipeline.last(), options.controls)),
      reading_(valid(options)),
      tuner_(reading_),
      between_looks_(first_look_ns) {
  open();
}

Reader::~Reader() {
  reading_.stop_epoch();
  cursor_.reset();
}

void Reader::open() {
  left_ = 0;
  cursor_ = rewritten_.last->open_at(reading_, epoch_);
}

bool Reader::next(Element& out) {
  if (reading_.stopped()) {  // asked once: it may be cancelled at any moment
    cursor_.reset();
    throw Cancelled();
  }
  if (!cursor_) return false;
  const std::int64_t begin = reading_.now_ns();
  if (left_ != 0) training_.add(begin - left_);
  bool got = false;
  try {
    got = cursor_->next(out);
    if (got) out.own();  // what is lent would not outlive this reader
  } catch (...) {
    cursor_.reset();
    throw;
  }
  if (!got) {
    cursor_.reset();
    longest_epoch_ = std::max(longest_epoch_, in_epoch_);
  }
  left_ = reading_.now_ns();
  waiting_.add(left_ - begin);
  elements_ += got ? 1 : 0;
  in_epoch_ += got ? 1 : 0;
  if (left_ >= next_look_ && reading_.options.controls.on(Control::autotune)) look(left_);
  return got;
}

void Reader::look(std::int64_t now) {
  if (next_look_ != 0) {
    tuner_.look({.elements = elements_,
                 .epoch = longest_epoch_ > 0 ? std::max(longest_epoch_, in_epoch_) : 0,
                 .training = static_cast<double>(training_.get())});
    between_looks_ = std::min(2 * between_looks_, rarest_look_ns);
  }
  next_look_ = now + between_looks_;
}

void Reader::restart() {
  reading_.stop_epoch();
  cursor_.reset();
  reading_.begin_epoch(static_cast<double>(waiting_.get()), static_cast<double>(training_.get()));
  ++epoch_;
  in_epoch_ = 0;
  open();
}

PipelineStatistics Reader::statistics() const {
  return statistics_of(reading_, {}, static_cast<double>(waiting_.get()), static_cast<double>(training_.get()));
}

PipelineStatistics Reader::epoch_statistics() const {
  // The begin first: the counters only grow, also where another thread asks.
  const auto begin = reading_.at_epoch_begin();
  return statistics_of(reading_, begin.counts, static_cast<double>(waiting_.get()) - begin.waited,
                       static_cast<double>(training_.get()) - begin.trained);
}

}  // namespace assay::engine

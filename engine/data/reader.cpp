#include "engine/data/reader.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::engine {
namespace {

// Autotuning acts often at first, when there is much to find out, and rarely later.
constexpr std::int64_t first_tuning_ns = 1'000'000, max_between_tunings_ns = 1'000'000'000;

ReadOptions valid(ReadOptions options) {
  const auto fits = [](int number) { return number > 0 && number <= max_threads; };
  if (!fits(options.cores) || !fits(options.training_threads)) {
    throw std::invalid_argument("reader: expected 1 to " + std::to_string(max_threads) +
                                " cores and training threads, got " + std::to_string(options.cores) + " cores and " +
                                std::to_string(options.training_threads) + " training threads");
  }
  return options;
}

}  // namespace

Reader::Reader(const Pipeline& pipeline, ReadOptions options)
    : rewrite_result_(rewrite(pipeline.last(), options.controls)),
      context_(valid(options)),
      autotuner_(context_),
      between_tunings_(first_tuning_ns) {
  open();
}

Reader::~Reader() {
  context_.stop_epoch();
  iterator_.reset();
}

void Reader::open() {
  returned_at_ = 0;
  iterator_ = rewrite_result_.last->make_iterator_at(context_, epoch_);
}

bool Reader::next(Element& out) {
  if (context_.stopped()) {
    iterator_.reset();
    throw Cancelled();
  }
  if (!iterator_) return false;
  const std::int64_t begin = context_.now_ns();
  if (returned_at_ != 0) training_.add(begin - returned_at_);
  bool got = false;
  try {
    got = iterator_->next(out);
    if (got) out.own();  // borrowed memory would not outlive this reader
  } catch (...) {
    iterator_.reset();
    throw;
  }
  if (!got) {
    iterator_.reset();
    longest_epoch_ = std::max(longest_epoch_, in_epoch_);
  }
  returned_at_ = context_.now_ns();
  waiting_.add(returned_at_ - begin);
  elements_ += got ? 1 : 0;
  in_epoch_ += got ? 1 : 0;
  if (returned_at_ >= next_tuning_ && context_.options.controls.on(Control::autotune)) tune(returned_at_);
  return got;
}

void Reader::tune(std::int64_t now) {
  if (next_tuning_ != 0) {
    autotuner_.update({.elements = elements_,
                       .elements_per_epoch = longest_epoch_ > 0 ? std::max(longest_epoch_, in_epoch_) : 0,
                       .training = static_cast<double>(training_.get())});
    between_tunings_ = std::min(2 * between_tunings_, max_between_tunings_ns);
  }
  next_tuning_ = now + between_tunings_;
}

void Reader::restart() {
  context_.stop_epoch();
  iterator_.reset();
  context_.begin_epoch(static_cast<double>(waiting_.get()), static_cast<double>(training_.get()));
  ++epoch_;
  in_epoch_ = 0;
  open();
}

PipelineStatistics Reader::statistics() const {
  return statistics_of(context_, {}, static_cast<double>(waiting_.get()), static_cast<double>(training_.get()));
}

PipelineStatistics Reader::epoch_statistics() const {
  // The begin is read first, because the counters go on growing while another thread asks.
  const auto begin = context_.at_epoch_begin();
  return statistics_of(context_, begin.counts, static_cast<double>(waiting_.get()) - begin.waited,
                       static_cast<double>(training_.get()) - begin.trained);
}

}  // namespace assay::engine

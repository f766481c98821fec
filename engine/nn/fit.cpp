#include "engine/nn/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/core/convert.hpp"

namespace assay::engine {
namespace {

/// The best epoch so far, and how long ago it was.
class Patience {
 public:
  Patience(const EarlyStopping& rule, const Model& model) : rule_(rule), model_(model) {}

  /// False when patience has run out.
  bool still(double loss) {
    if (loss < best_ - rule_.min_delta) {
      best_ = loss;
      waited_ = 0;
      if (rule_.restore_best_weights) weights_.emplace(model_.weights());
      return true;
    }
    return ++waited_ < rule_.patience;
  }
  void restore() const {
    if (weights_) weights_->restore();
  }

 private:
  const EarlyStopping& rule_;
  const Model& model_;
  double best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0;
  std::optional<Snapshot> weights_;
};

/// Throws std::invalid_argument, with what was expected and found, unless these are rows that the model takes, and
/// labels of them.
void require_rows(const Tensor& x, const Tensor& labels, const Model& model, const std::string& what) {
  const auto fail = [&what](const std::string& expected, const std::string& found) {
    throw std::invalid_argument(what + " data: expected " + expected + ", found " + found);
  };
  if (!x.defined() || !labels.defined()) fail("features and labels", x.defined() ? "no labels" : "no features");
  const auto dims = x.shape().dims();
  if (dims.empty() || Shape(dims.subspan(1)) != model.input())
    fail("features of shape rows x " + to_string(model.input()), to_string(x.shape()));
  if (labels.dtype() != DType::int32 || labels.shape().rank() != 1)
    fail("labels int32 of shape rows", std::string(name(labels.dtype())) + " " + to_string(labels.shape()));
  if (dims[0] != labels.shape()[0]) fail(std::to_string(dims[0]) + " labels, one a row", to_string(labels.shape()));
  if (dims[0] == 0) fail("1 row or more", "none");
}

/// Throws std::invalid_argument, naming the row, where a label is no class of the model.
void require_classes(const Tensor& labels, std::int64_t classes) {
  const auto values = labels.as<std::int32_t>();
  const auto wrong = std::ranges::find_if(values, [&](std::int32_t label) { return label < 0 || label >= classes; });
  if (wrong == values.end()) return;
  throw std::invalid_argument("labels: row " + std::to_string(wrong - values.begin()) + " has class " +
                              std::to_string(*wrong) + "; the model has classes 0 to " + std::to_string(classes - 1));
}

/// The first value of a tensor that is NaN or infinite; none in one of integers.
std::optional<std::int64_t> first_not_finite(const Tensor& x) {
  return visit_dtype(x.dtype(), [&](auto zero) -> std::optional<std::int64_t> {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) {
      const auto values = x.as<T>();
      const auto wrong = std::ranges::find_if(values, [](T value) { return !std::isfinite(convert<double>(value)); });
      if (wrong != values.end()) return wrong - values.begin();
    }
    return std::nullopt;
  });
}

/// Where a row stands in the first epoch.
std::string place_in_epoch(std::int64_t row, const Batches& batches, std::int64_t batch) {
  const std::int64_t position = batches.position_of(row);
  if (position / batch >= batches.count()) return ", in rows that the first epoch leaves out";
  return ", which is row " + std::to_string(position % batch) + " of batch " + std::to_string(position / batch) +
         " in the first epoch";
}

/// Throws std::invalid_argument, naming the row, where a value is NaN or infinite: what poolings and ReLUs make of one
/// can look like a number. `place(row)`: where else it stands.
template <class PlaceOf>
void require_finite(const Tensor& x, const std::string& what, PlaceOf&& place) {
  const auto wrong = first_not_finite(x);
  if (!wrong) return;
  const std::int64_t width = x.shape().elements() / x.shape()[0], row = *wrong / width;
  const double found = visit_dtype(
      x.dtype(), [&](auto zero) { return convert<double>(x.as<decltype(zero)>()[static_cast<std::size_t>(*wrong)]); });
  throw std::invalid_argument(what + " data: expected finite values, found " + std::to_string(found) + " in row " +
                              std::to_string(row) + " (value " + std::to_string(*wrong % width) + ")" + place(row));
}

/// How many batches the next call takes: whole ones, up to where a callback wants to see the model.
std::int64_t batches_a_call(const FitOptions& options, const Batches& batches, std::int64_t first) {
  std::int64_t count = std::min(options.steps_per_call, batches.whole() - first);
  for (const Callback& callback : options.callbacks) {
    if (callback.state_every > 0) count = std::min(count, callback.state_every - first % callback.state_every);
  }
  return std::max<std::int64_t>(1, count);
}

/// Batches [first, first + count) as one call of the plan, or one batch by itself; tell(batch, result) of each.
template <class Tell>
void run(TrainStep& step, Batches& batches, std::int64_t first, std::int64_t count, Tell&& tell) {
  if (count == 1) {
    const auto batch = batches.at(first);
    return tell(first, step(batch.x, batch.labels));
  }
  const auto staged = batches.staged(first, count);
  step.steps(staged.x, staged.labels, [&](std::size_t i, const TrainStep::Result& result) {
    tell(first + static_cast<std::int64_t>(i), result);
  });
}

}  // namespace

void Metrics::add(const TrainStep::Result& result, std::int64_t batch_rows) {
  const auto before = static_cast<double>(rows), now = static_cast<double>(batch_rows);
  loss = (loss * before + static_cast<double>(result.loss) * now) / (before + now);
  accuracy = (accuracy * before + static_cast<double>(result.correct)) / (before + now);
  rows += batch_rows;
}

Metrics evaluate(EvaluateStep& step, const Tensor& x, const Tensor& labels, std::int64_t batch) {
  Batches batches(x, labels, batch);
  if (batches.count() == 0) throw std::invalid_argument("evaluation data: expected 1 row or more, found none");
  Metrics metrics;
  for (std::int64_t i = 0; i < batches.count(); ++i) {
    const auto one = batches.at(i);
    metrics.add(step(one.x, one.labels), one.rows());
  }
  return metrics;
}

History fit(TrainStep& step, const Model& model, const Tensor& x, const Tensor& labels, const FitOptions& options) {
  if (options.steps_per_call < 1)
    throw std::invalid_argument("steps a call: expected 1 or more, got " + std::to_string(options.steps_per_call));
  for (const Callback& callback : options.callbacks) {
    if (callback.state_every < 0)
      throw std::invalid_argument("state_every: expected 0 (never) or more batches, got " +
                                  std::to_string(callback.state_every));
  }
  if (options.epochs < 0) {
    throw std::invalid_argument("epochs: expected 0 or more, got " + std::to_string(options.epochs));
  }
  require_rows(x, labels, model, "training");
  Batches batches(x, labels, options.batch, options.drop_remainder);
  if (batches.count() == 0) {
    throw std::invalid_argument("training data: expected a whole batch of " + std::to_string(options.batch) +
                                " rows, because the remainder is dropped; found " + std::to_string(batches.rows()) +
                                " rows");
  }
  require_classes(labels, model.output()[0]);
  const bool validates = options.validation_x.defined() || options.validation_labels.defined();
  if (validates) {
    require_rows(options.validation_x, options.validation_labels, model, "validation");
    require_classes(options.validation_labels, model.output()[0]);
    require_finite(options.validation_x, "validation", [](std::int64_t) { return ""; });
  }
  std::optional<Patience> patience;
  if (options.early_stopping) patience.emplace(*options.early_stopping, model);
  EvaluateStep validation(model);  // one for all epochs, so that it is traced once
  History history;
  for (int number = 0; number < options.epochs; ++number) {
    if (options.shuffle) batches.shuffle(options.seed, static_cast<std::uint64_t>(number));
    if (number == 0)
      require_finite(x, "training", [&](std::int64_t row) { return place_in_epoch(row, batches, options.batch); });
    Epoch epoch{number, {}, {}};
    const auto tell = [&](std::int64_t i, const TrainStep::Result& result) {
      if (!std::isfinite(result.loss) && result.applied) {
        throw std::runtime_error("training: the loss is no longer finite at epoch " + std::to_string(number) +
                                 ", batch " + std::to_string(i));
      }
      if (std::isfinite(result.loss)) epoch.training.add(result, batches.rows_of(i));
      ++(result.applied ? history.steps : history.skipped);
      for (const Callback& callback : options.callbacks) {
        if (callback.on_batch_end) callback.on_batch_end(number, i, result);
      }
    };
    for (std::int64_t first = 0; first < batches.count();) {
      const std::int64_t count = batches_a_call(options, batches, first);
      run(step, batches, first, count, tell);
      first += count;
    }
    // No loss is not a loss of 0, which early stopping would take for the best there can be.
    if (epoch.training.rows == 0) epoch.training.loss = epoch.training.accuracy = std::nan("");
    if (validates) epoch.validation = evaluate(validation, options.validation_x, options.validation_labels);
    history.epochs.push_back(epoch);

    bool go_on = true;
    for (const Callback& callback : options.callbacks) {
      if (callback.on_epoch_end) go_on = callback.on_epoch_end(epoch) && go_on;
    }
    if (patience) go_on = patience->still(epoch.validation ? epoch.validation->loss : epoch.training.loss) && go_on;
    if (!go_on) {
      history.stopped_early = number + 1 < options.epochs;
      break;
    }
  }
  if (patience) patience->restore();
  return history;
}

}  // namespace assay::engine

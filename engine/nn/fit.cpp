#include "engine/nn/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay::engine {
namespace {

/// The best epoch so far, and how long ago it was.
class Patience {
 public:
  Patience(const EarlyStopping& rule, const Model& model) : rule_(rule), model_(model) {}

  /// False when patience has run out.
  bool still(double loss) {
    if (loss < best_ - rule_.least_gain) {
      best_ = loss;
      waited_ = 0;
      if (rule_.restore_best) weights_.emplace(model_.weights());
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

/// Throws std::invalid_argument, naming the row, where a label is no class of the model.
void require_classes(const Tensor& labels, std::int64_t classes) {
  const auto values = labels.as<std::int32_t>();
  const auto wrong = std::ranges::find_if(values, [&](std::int32_t label) { return label < 0 || label >= classes; });
  if (wrong == values.end()) return;
  throw std::invalid_argument("labels: row " + std::to_string(wrong - values.begin()) + " has class " +
                              std::to_string(*wrong) + "; the model has classes 0 to " + std::to_string(classes - 1));
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
  Metrics metrics;
  for (std::int64_t i = 0; i < batches.count(); ++i) {
    const auto one = batches.at(i);
    metrics.add(step(one.x, one.labels), one.rows());
  }
  return metrics;
}

History fit(TrainStep& step, const Model& model, const Tensor& x, const Tensor& labels, const FitOptions& options) {
  Batches batches(x, labels, options.batch, options.drop_remainder);
  require_classes(labels, model.output()[0]);
  if (options.validation_x.defined()) require_classes(options.validation_labels, model.output()[0]);
  std::optional<Patience> patience;
  if (options.early_stopping) patience.emplace(*options.early_stopping, model);
  EvaluateStep validation(model);  // one for all epochs, so that it is traced once
  History history;
  for (int number = 0; number < options.epochs; ++number) {
    if (options.shuffle) batches.shuffle(options.seed, static_cast<std::uint64_t>(number));
    Epoch epoch{number, {}, {}};
    for (std::int64_t i = 0; i < batches.count(); ++i) {
      const auto batch = batches.at(i);
      const auto result = step(batch.x, batch.labels);
      if (!std::isfinite(result.loss)) {
        throw std::runtime_error("training: the loss is no longer finite at epoch " + std::to_string(number) +
                                 ", batch " + std::to_string(i));
      }
      epoch.training.add(result, batch.rows());
      ++history.steps;
      for (const Callback& callback : options.callbacks) {
        if (callback.on_batch_end) callback.on_batch_end(number, i, result);
      }
    }
    if (options.validation_x.defined())
      epoch.validation = evaluate(validation, options.validation_x, options.validation_labels);
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

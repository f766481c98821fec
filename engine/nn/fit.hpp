#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "engine/nn/batches.hpp"
#include "engine/nn/train_step.hpp"

namespace assay::engine {

/// Metrics weighted by rows: a short last batch counts for what it is. Of a training whose every step was skipped for a
/// loss that is no number there are none: rows is 0, loss and accuracy are NaN.
struct Metrics {
  double loss = 0, accuracy = 0;
  std::int64_t rows = 0;

  void add(const TrainStep::Result& result, std::int64_t batch_rows);
};

struct Epoch {
  int number = 0;  // from 0
  Metrics training;
  std::optional<Metrics> validation;
};

/// What may look at training while it goes on; returning false from on_epoch_end ends it.
struct Callback {
  std::function<void(int epoch, std::int64_t batch, const TrainStep::Result&)> on_batch_end{};
  std::function<bool(const Epoch&)> on_epoch_end{};
  /// Above 0: after every so many batches of an epoch (numbers state_every - 1, 2 state_every - 1, …) on_batch_end
  /// finds the model as that batch left it, however many steps a call takes: a call ends there. What saves weights
  /// needs it.
  std::int64_t state_every = 0;
};

/// Ends training after `patience` epochs without a lower validation loss (training loss where nothing validates); puts
/// the best weights back.
struct EarlyStopping {
  int patience = 1;
  double min_delta = 0;
  bool restore_best_weights = true;
};

struct FitOptions {
  int epochs = 1;
  std::int64_t batch = 128;
  bool shuffle = true;  // a new order each epoch, from the seed
  bool drop_remainder = false;
  std::uint64_t seed = 0;
  Tensor validation_x{}, validation_labels{};
  std::optional<EarlyStopping> early_stopping{};
  std::vector<Callback> callbacks{};
  /// Training steps in one call of the plan; more than an epoch's whole batches are as many as there are. Callbacks see
  /// every batch under its own number, after the call that it was part of (Callback::state_every).
  std::int64_t steps_per_call = 1;
};

struct History {
  std::vector<Epoch> epochs;
  std::int64_t steps = 0;    // updates
  std::int64_t skipped = 0;  // steps whose gradients were not finite, under a loss scale: no updates
  bool stopped_early = false;
};

/// Trains as Keras's `fit` does: every epoch shuffles and trains on every row, the short last batch included, unless
/// told otherwise. Throws std::invalid_argument before the first epoch where there is nothing to train on or to
/// validate with, where shapes or labels do not match the model, and, naming batch and row, where the data are not
/// finite; throws std::runtime_error, naming epoch and batch, when the loss is no longer finite (under a loss scale
/// such a step is skipped, and TrainingStuck ends what never moves again).
History fit(TrainStep& step, const Model& model, const Tensor& x, const Tensor& labels, const FitOptions& options);

/// Loss and accuracy over all rows. Throws std::invalid_argument where there are none.
Metrics evaluate(EvaluateStep& step, const Tensor& x, const Tensor& labels, std::int64_t batch = 256);
inline Metrics evaluate(const Model& model, const Tensor& x, const Tensor& labels, std::int64_t batch = 256) {
  EvaluateStep step(model);
  return evaluate(step, x, labels, batch);
}

}  // namespace assay::engine

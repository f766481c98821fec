#include "engine/nn/predict.hpp"

#include <cstring>

namespace assay::engine {
namespace {

void call(std::span<const PredictCallback> callbacks, std::function<void()> PredictCallback::*when) {
  for (const auto& callback : callbacks) {
    if (callback.*when) (callback.*when)();
  }
}

void call(std::span<const PredictCallback> callbacks, std::function<void(std::int64_t)> PredictCallback::*when,
          std::int64_t batch) {
  for (const auto& callback : callbacks) {
    if (callback.*when) (callback.*when)(batch);
  }
}

}  // namespace

Predictor::Predictor(const Model& model, std::int64_t batch)
    : model_(model),
      batch_(batch),
      traced_("predict", [&model](std::span<const Tensor> in) { return std::vector<Tensor>{model(in[0])}; }) {
  if (batch <= 0) throw std::invalid_argument("a batch has 1 row or more, got " + std::to_string(batch));
}

Tensor Predictor::operator()(const Tensor& x, std::span<const PredictCallback> callbacks) {
  const std::int64_t rows = x.shape()[0];
  call(callbacks, &PredictCallback::on_begin);
  std::vector<std::int64_t> dims{rows};
  dims.insert(dims.end(), model_.output().dims().begin(), model_.output().dims().end());
  Tensor all;
  std::size_t written = 0;
  for (std::int64_t begin = 0, batch = 0; begin < rows; begin += batch_, ++batch) {
    call(callbacks, &PredictCallback::on_batch_begin, batch);
    const Tensor part = x.rows(begin, std::min(rows, begin + batch_));
    const Tensor& out = traced_({part})[0];
    if (!all.defined()) all = Tensor::empty({out.dtype(), Shape(dims), {}});
    std::memcpy(all.data() + written, out.data(), out.type().bytes());
    written += out.type().bytes();
    call(callbacks, &PredictCallback::on_batch_end, batch);
  }
  call(callbacks, &PredictCallback::on_end);
  if (!all.defined()) return Tensor::empty({x.dtype(), Shape(dims), {}});  // no rows
  return all;
}

}  // namespace assay::engine

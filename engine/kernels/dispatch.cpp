#include <algorithm>
#include <atomic>

#include "engine/kernels/emulated.hpp"
#include "engine/kernels/group.hpp"

namespace assay::engine {
namespace {

std::atomic<std::uint64_t> prepared_count{0};

Prepared counted(Prepared prepared) {
  prepared_count.fetch_add(1, std::memory_order_relaxed);
  return prepared;
}

bool any_narrow(std::span<const TensorType> types) {
  return std::ranges::any_of(types, [](const TensorType& type) { return is_narrow(type.dtype); });
}

}  // namespace

Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                 const Target& target, const Backend* only) {
  if (operation.group != nullptr) return prepare_group(operation, in, out, target, only);
  if (only != nullptr) {
    try {
      return counted(only->prepare(operation, in, out, target));
    } catch (const Unsupported&) {
      if (!any_narrow(in) && !any_narrow(out)) throw;
      return prepare_emulated(operation, in, out, target, only);
    }
  }

  std::vector<const Backend*> order;
  if (target.controls == nullptr || target.controls->on(Control::onednn)) order.push_back(&onednn_backend());
  order.push_back(&eigen_backend());
  // A narrow type that neither computes in is emulated; reference kernels are for float32 and float64.
  const bool narrow = any_narrow(in) || any_narrow(out);
  if (!narrow) order.push_back(&reference_backend());

  std::vector<std::string> declined;
  for (const Backend* backend : order) {
    try {
      Prepared prepared = backend->prepare(operation, in, out, target);
      prepared.info.fallbacks = std::move(declined);
      return counted(std::move(prepared));
    } catch (const Unsupported& reason) {
      declined.emplace_back(reason.what());
    }
  }
  if (narrow) {
    Prepared prepared = prepare_emulated(operation, in, out, target, nullptr);
    prepared.info.fallbacks.insert(prepared.info.fallbacks.begin(), declined.begin(), declined.end());
    return prepared;
  }
  std::string all = "no back end can run " + std::string(name(operation.op)) + ":";
  for (const std::string& reason : declined) all += "\n  " + reason;
  throw Unsupported(all);
}

std::uint64_t kernels_prepared() { return prepared_count.load(std::memory_order_relaxed); }

}  // namespace assay::engine

#include <atomic>

#include "engine/kernels/group.hpp"

namespace assay::engine {
namespace {

std::atomic<std::uint64_t> prepared_count{0};

Prepared counted(Prepared prepared) {
  prepared_count.fetch_add(1, std::memory_order_relaxed);
  return prepared;
}

}  // namespace

Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                 const Target& target, const Backend* only) {
  if (operation.group != nullptr) return prepare_group(operation, in, out, target, only);
  if (only != nullptr) return counted(only->prepare(operation, in, out, target));

  std::vector<const Backend*> order;
  if (target.controls == nullptr || target.controls->on(Control::onednn)) order.push_back(&onednn_backend());
  order.push_back(&eigen_backend());
  order.push_back(&reference_backend());

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
  std::string all = "no back end can run " + std::string(name(operation.op)) + ":";
  for (const std::string& reason : declined) all += "\n  " + reason;
  throw Unsupported(all);
}

std::uint64_t kernels_prepared() { return prepared_count.load(std::memory_order_relaxed); }

}  // namespace assay::engine

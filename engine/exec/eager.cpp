#include "engine/exec/eager.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace assay::engine {
namespace {

/// A prepared kernel, with everything that it depends on.
struct Entry {
  Operation operation;
  std::vector<TensorType> in;
  Settings settings;
  Prepared prepared;
  std::unique_ptr<KernelState> state;

  bool fits(const Operation& wanted, std::span<const Tensor> tensors) const {
    return operation == wanted && settings == engine::settings() &&
           std::ranges::equal(in, tensors,
                              [](const TensorType& type, const Tensor& tensor) { return type == tensor.type(); });
  }
};

std::size_t hash_of(const Operation& operation, std::span<const Tensor> in) {
  auto hash = static_cast<std::size_t>(operation.op);
  const auto mix = [&hash](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
  const Attributes& at = operation.attributes;
  mix(static_cast<std::size_t>(at.transpose_a) | static_cast<std::size_t>(at.transpose_b) << 1 |
      static_cast<std::size_t>(at.axes) << 2);
  for (const Tensor& tensor : in) {
    mix(static_cast<std::size_t>(tensor.dtype()));
    for (const auto dim : tensor.shape().dims()) mix(static_cast<std::size_t>(dim));
  }
  return hash;
}

/// Kept by each thread for itself, since kernel states belong to one execution at a time. Bounded, since shapes may
/// vary without end. By hash, so that a hit copies nothing.
struct Cache {
  static constexpr std::size_t max_entries = 1024;
  std::unordered_multimap<std::size_t, Entry> entries;
  std::uint64_t hits = 0, misses = 0;
  std::shared_ptr<Storage> workspace;

  std::byte* workspace_of(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    if (!workspace || workspace->bytes() < bytes) workspace = make_storage(bytes);
    return workspace->data();
  }
};

Cache& cache() {
  thread_local Cache mine;
  return mine;
}

Entry prepare_entry(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out) {
  const Settings& with = settings();
  Entry entry{operation, {}, with, {}, nullptr};
  for (const Tensor& tensor : in) entry.in.push_back(tensor.type());
  entry.prepared = prepare(operation, entry.in, out, target_for(with), with.only);
  entry.state = entry.prepared.kernel->make_state();
  return entry;
}

void run(const Entry& entry, std::span<const Tensor> in, const Tensors& out) {
  InlineVector<View, 8> views_in, views_out;
  for (const Tensor& tensor : in) views_in.push_back(tensor.view());
  for (const Tensor& tensor : out) views_out.push_back(tensor.view());
  Context context{cache().workspace_of(entry.prepared.workspace), entry.state.get()};
  entry.prepared.kernel->run(views_in, views_out, context);
}

}  // namespace

Tensors run_eager(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out) {
  // Updates run in place where only the variable and this call hold the values (engine/ops/update.cpp); other handles
  // keep their values.
  const bool update = is_update(operation.op);
  Tensors results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Tensor* const before =
        update ? &in[static_cast<std::size_t>(reused_input(operation.op, in.size(), i))] : nullptr;
    results.push_back(before != nullptr && before->shared_by() == 2 ? *before : Tensor::empty(out[i]));
  }

  Cache& mine = cache();
  if (!settings().controls.on(Control::cache_primitives)) {
    ++mine.misses;
    run(prepare_entry(operation, in, out), in, results);
    return results;
  }
  const std::size_t hash = hash_of(operation, in);
  const auto [first, last] = mine.entries.equal_range(hash);
  auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second.fits(operation, in); });
  if (found != last) {
    ++mine.hits;
  } else {
    ++mine.misses;
    if (mine.entries.size() >= Cache::max_entries) mine.entries.clear();
    found = mine.entries.emplace(hash, prepare_entry(operation, in, out));
  }
  run(found->second, in, results);
  return results;
}

EagerCache eager_cache() { return {cache().entries.size(), cache().hits, cache().misses}; }

void clear_eager_cache() { cache().entries.clear(); }

}  // namespace assay::engine

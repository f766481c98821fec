#include "engine/exec/eager.hpp"

#include <unordered_map>

#include "engine/ops/op_info.hpp"

namespace assay::engine {
namespace {

/// Everything that a prepared kernel depends on.
struct Key {
  Operation operation;
  Types in, out;
  Settings settings;

  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t hash = static_cast<std::size_t>(key.operation.op);
    const auto mix = [&hash](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
    const Attributes& at = key.operation.attributes;
    mix(static_cast<std::size_t>(at.transpose_a) | static_cast<std::size_t>(at.transpose_b) << 1 | static_cast<std::size_t>(at.axes) << 2);
    mix(std::hash<double>{}(at.scalar));
    for (const TensorType& type : key.in) {
      mix(static_cast<std::size_t>(type.dtype));
      for (const auto dim : type.shape.dims()) mix(static_cast<std::size_t>(dim));
    }
    return hash;
  }
};

struct Entry {
  Prepared prepared;
  std::unique_ptr<KernelState> state;
};

/// Kept by each thread for itself: kernel states belong to one execution at a time. Bounded, since shapes may vary for ever.
struct Cache {
  static constexpr std::size_t most = 1024;
  std::unordered_map<Key, Entry, KeyHash> entries;
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

Entry prepare_entry(const Operation& operation, const Types& in, std::span<const TensorType> out) {
  const Settings& with = settings();
  Entry entry{prepare(operation, in, out, {Device::cpu, with.threads, &with.controls}, with.only), nullptr};
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
  const bool update = operation.op == Op::sgd || operation.op == Op::adam;
  Tensors results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    results.push_back(update ? in[static_cast<std::size_t>(info(operation.op).in_place[i])] : Tensor::empty(out[i]));
  }
  Types types;
  for (const Tensor& tensor : in) types.push_back(tensor.type());

  Cache& mine = cache();
  if (!settings().controls.on(Control::cache_primitives)) {
    ++mine.misses;
    run(prepare_entry(operation, types, out), in, results);
    return results;
  }
  Key key{operation, types, Types(out.begin(), out.end()), settings()};
  auto found = mine.entries.find(key);
  if (found == mine.entries.end()) {
    ++mine.misses;
    if (mine.entries.size() >= Cache::most) mine.entries.clear();
    found = mine.entries.emplace(std::move(key), prepare_entry(operation, types, out)).first;
  } else {
    ++mine.hits;
  }
  run(found->second, in, results);
  return results;
}

EagerCache eager_cache() { return {cache().entries.size(), cache().hits, cache().misses}; }

void clear_eager_cache() { cache().entries.clear(); }

}  // namespace assay::engine

#include "engine/kernels/group.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "engine/core/storage.hpp"
#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

constexpr std::size_t max_operands = 8;
constexpr std::int64_t elements_a_block = 1024;  // of a chain: a dozen operands of float32 fit the first-level cache

std::size_t at(int index) { return static_cast<std::size_t>(index); }
std::size_t aligned(std::size_t bytes) {
  return (bytes + Storage::alignment - 1) / Storage::alignment * Storage::alignment;
}

/// A value of the group: where its bytes lie while a block runs.
struct Value {
  Part part = Part::rows;
  TensorType type;        // whole
  int output = -1;        // of the group; -1: it stays in a block
  std::size_t place = 0;  // in a thread's memory, where it stays in a block or is a sum
  std::size_t total = 0;  // of a sum: where the thread's sum lies
};

/// An operation's kernel for blocks of one size.
struct Piece {
  Prepared prepared;
  std::vector<int> in, out;  // as in FusedOperation; values
};

/// Types as the blocks see them: of a chain one row an element.
TensorType in_rows(const TensorType& type, Op op, Part part) {
  if (op != Op::fused_elementwise) return type;
  return {type.dtype, part == Part::whole ? Shape{1} : Shape{type.shape.elements()}, {}};
}

TensorType block_of(const TensorType& type, Part part, std::int64_t rows) {
  return part == Part::rows ? TensorType{type.dtype, type.shape.with_rows(rows), type.layout} : type;
}

struct GroupState final : KernelState {
  std::vector<std::vector<std::unique_ptr<KernelState>>> whole, rest;  // by thread, by piece
};

/// Adds what a block has summed to the thread's sum.
void accumulate(const TensorType& type, const std::byte* from, std::byte* to) {
  const auto add = [&](auto zero) {
    using T = decltype(zero);
    const T* x = reinterpret_cast<const T*>(from);
    T* y = reinterpret_cast<T*>(to);
    const std::size_t n = type.bytes() / sizeof(T);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
  };
  type.dtype == DType::float64 ? add(double{}) : add(float{});
}

class GroupKernel final : public Kernel {
 public:
  std::vector<Piece> whole, rest;  // for whole blocks, and for the rows that are left
  std::vector<Part> in_parts;
  std::vector<TensorType> in_types;
  std::vector<Value> values;
  std::int64_t rows = 0, block = 0;
  int threads = 1;
  std::size_t thread_bytes = 0, scratch = 0;  // a thread's memory; where in it the operations' own workspace begins

  std::unique_ptr<KernelState> make_state() const override {
    auto state = std::make_unique<GroupState>();
    for (auto [pieces, states] : {std::pair{&whole, &state->whole}, std::pair{&rest, &state->rest}}) {
      for (int thread = 0; thread < threads; ++thread) {
        auto& own = states->emplace_back();
        for (const Piece& piece : *pieces) own.push_back(piece.prepared.kernel->make_state());
      }
    }
    return state;
  }

  void run(std::span<const View> in, std::span<const View> out, Context& context) const override {
    auto& state = static_cast<GroupState&>(*context.state);
    const std::int64_t blocks = (rows + block - 1) / block;
    parallel_parts(threads, [&](int part) {
      std::byte* own = context.workspace + thread_bytes * at(part);
      for (const Value& value : values) {
        if (value.part == Part::sum) std::fill_n(own + value.total, value.type.bytes(), std::byte{0});
      }
      const Range range = range_of(blocks, part, threads);
      for (std::int64_t b = range.begin; b < range.end; ++b) run_block(in, out, b * block, own, state, at(part));
    });
    for (const Value& value : values) {
      if (value.part != Part::sum || value.output < 0) continue;
      std::byte* result = out[at(value.output)].data;
      std::copy_n(context.workspace + value.total, value.type.bytes(), result);
      for (int thread = 1; thread < threads; ++thread)
        accumulate(value.type, context.workspace + thread_bytes * at(thread) + value.total, result);
    }
  }

 private:
  void run_block(std::span<const View> in, std::span<const View> out, std::int64_t first, std::byte* own,
                 GroupState& state, std::size_t thread) const {
    const bool full = first + block <= rows;
    const auto& pieces = full ? whole : rest;
    auto& states = (full ? state.whole : state.rest)[thread];
    const auto offset = [&](const TensorType& type, Part part) {
      return part == Part::rows ? type.bytes() / static_cast<std::size_t>(rows) * static_cast<std::size_t>(first) : 0;
    };
    const auto made = [&](int v) {
      const Value& value = values[at(v)];
      const bool outside = value.output >= 0 && value.part == Part::rows;
      return outside ? out[at(value.output)].data + offset(value.type, Part::rows) : own + value.place;
    };
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const Piece& piece = pieces[p];
      std::array<View, max_operands> from{}, to{};
      for (std::size_t i = 0; i < piece.in.size(); ++i) {
        const int operand = piece.in[i];
        std::byte* data = operand < 0 ? made(-1 - operand)
                                      : in[at(operand)].data + offset(in_types[at(operand)], in_parts[at(operand)]);
        from[i] = {data, &piece.prepared.in[i]};
      }
      for (std::size_t i = 0; i < piece.out.size(); ++i) to[i] = {made(piece.out[i]), &piece.prepared.out[i]};
      Context context{own + scratch, states[p].get()};
      piece.prepared.kernel->run({from.data(), piece.in.size()}, {to.data(), piece.out.size()}, context);
    }
    for (const Value& value : values) {
      if (value.part == Part::sum) accumulate(value.type, own + value.place, own + value.total);
    }
  }
};

class Builder {
 public:
  Builder(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
          const Target& target, const Backend* only)
      : op_(operation.op), group_(*operation.group), target_(target), only_(only) {
    kernel_ = std::make_shared<GroupKernel>();
    kernel_->in_parts = group_.in;
    for (std::size_t i = 0; i < in.size(); ++i) kernel_->in_types.push_back(in_rows(in[i], op_, group_.in[i]));
    for (const FusedOperation& member : group_.operations) {
      for (std::size_t i = 0; i < member.out.size(); ++i)
        kernel_->values.push_back({member.parts[i], in_rows(member.out[i], op_, member.parts[i])});
    }
    for (std::size_t o = 0; o < group_.out.size(); ++o) kernel_->values[at(group_.out[o])].output = static_cast<int>(o);
    prepared_.in.assign(in.begin(), in.end());
    prepared_.out.assign(out.begin(), out.end());
  }

  Prepared build() {
    GroupKernel& kernel = *kernel_;
    double bytes = 0;
    for (const Value& value : kernel.values) {
      if (value.part != Part::rows) continue;
      kernel.rows = value.type.shape[0];
      bytes += static_cast<double>(value.type.bytes());
    }
    if (kernel.rows == 0 || kernel.values.empty()) throw Unsupported("a group without rows");
    kernel.block = op_ == Op::fused_elementwise ? elements_a_block
                                                : rows_a_block(kernel.rows, bytes / static_cast<double>(kernel.rows));
    if (kernel.rows >= kernel.block) kernel.whole = pieces(kernel.block);
    if (kernel.rows % kernel.block != 0) kernel.rest = pieces(kernel.rows % kernel.block);
    lay_out();
    describe();
    prepared_.kernel = kernel_;
    return std::move(prepared_);
  }

 private:
  std::vector<Piece> pieces(std::int64_t rows) const {
    std::vector<Piece> result;
    int made = 0;
    for (const FusedOperation& member : group_.operations) {
      Operation operation = member.operation;
      std::vector<TensorType> in, out;
      Piece piece{{}, member.in, {}};
      for (const int operand : member.in) {
        const Value* value = operand < 0 ? &kernel_->values[at(-1 - operand)] : nullptr;
        in.push_back(value != nullptr ? block_of(value->type, value->part, rows)
                                      : block_of(kernel_->in_types[at(operand)], group_.in[at(operand)], rows));
      }
      for (std::size_t i = 0; i < member.out.size(); ++i) {
        const Value& value = kernel_->values[at(made)];
        out.push_back(block_of(value.type, value.part, rows));
        piece.out.push_back(made++);
      }
      // A gradient that says its result's shape says it for the block.
      if (member.parts[0] == Part::rows && operation.attributes.shape.rank() > 0)
        operation.attributes.shape = operation.attributes.shape.with_rows(rows);
      if (in.size() > max_operands) throw Unsupported("an operation of a group has too many operands");
      piece.prepared = prepare(operation, in, out, {target_.device, 1, target_.controls}, only_);
      result.push_back(std::move(piece));
    }
    return result;
  }

  /// A thread's memory: values that stay in a block, sums, then the operations' workspace.
  void lay_out() {
    std::size_t place = 0;
    for (Value& value : kernel_->values) {
      if (value.part == Part::rows && value.output >= 0) continue;
      value.place = place;
      place += aligned(block_of(value.type, value.part, kernel_->block).bytes());
      if (value.part != Part::sum) continue;
      value.total = place;
      place += aligned(value.type.bytes());
    }
    kernel_->scratch = place;
    std::size_t most = 0;
    for (const auto* pieces : {&kernel_->whole, &kernel_->rest}) {
      for (const Piece& piece : *pieces) most = std::max(most, piece.prepared.workspace);
    }
    kernel_->thread_bytes = place + aligned(most);
  }

  void describe() {
    GroupKernel& kernel = *kernel_;
    const bool full = !kernel.whole.empty();
    const double repeats = static_cast<double>(kernel.rows) / static_cast<double>(full ? kernel.block : kernel.rows);
    std::set<std::string> fallbacks;
    for (const Piece& piece : full ? kernel.whole : kernel.rest) {
      const KernelInfo& info = piece.prepared.info;
      prepared_.info.name += (prepared_.info.name.empty() ? "" : " + ") + info.name;
      prepared_.info.flops += info.flops * repeats;
      for (const Work& part : info.work())
        prepared_.info.parts.push_back({part.format, part.emulated, part.flops * repeats});
      prepared_.info.compute = info.compute;
      prepared_.info.accumulate = info.accumulate;
      prepared_.info.emulated = prepared_.info.emulated || info.emulated;
      fallbacks.insert(info.fallbacks.begin(), info.fallbacks.end());
    }
    prepared_.info.fallbacks.assign(fallbacks.begin(), fallbacks.end());
    for (const auto* types : {&prepared_.in, &prepared_.out}) {
      for (const TensorType& type : *types) prepared_.info.bytes += static_cast<double>(type.bytes());
    }
    const std::int64_t blocks = (kernel.rows + kernel.block - 1) / kernel.block;
    constexpr double moves = 4;  // scalar operations that an element moved counts for
    const double work = op_ == Op::fused_elementwise ? prepared_.info.flops * moves : prepared_.info.flops;
    kernel.threads = static_cast<int>(std::min<std::int64_t>(threads_for(work, target_.threads), blocks));
    prepared_.info.threads = kernel.threads;
    prepared_.workspace = kernel.thread_bytes * at(kernel.threads);
  }

  Op op_;
  const Group& group_;
  const Target& target_;
  const Backend* only_;
  std::shared_ptr<GroupKernel> kernel_;
  Prepared prepared_;
};

}  // namespace

std::int64_t rows_a_block(std::int64_t rows, double bytes_a_row) {
  const long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
  const double cache = found > 0 ? static_cast<double>(found) : 1 << 20;
  const auto fits = std::clamp<std::int64_t>(static_cast<std::int64_t>(cache / 2 / bytes_a_row), 1, rows);
  // A size that divides the rows needs no kernels for what is left; down to half of what fits that is worth it.
  for (std::int64_t size = fits; size > fits / 2; --size) {
    if (rows % (2 * size) == 0) return size;
  }
  return fits;
}

Prepared prepare_group(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                       const Target& target, const Backend* only) {
  return Builder(operation, in, out, target, only).build();
}

}  // namespace assay::engine

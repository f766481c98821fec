#include "engine/kernels/chain.hpp"

#include <algorithm>

#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

// Elements of a block: a dozen operands of float32 fit the first-level cache.
constexpr std::int64_t block = 1024;
constexpr std::size_t most_operands = 4;
// Scalar operations that one element of one link counts for in threads_for().
constexpr double cost_of_link = 4;

/// One operation on `count` elements, with the types that its kernel sees.
struct Piece {
  Prepared prepared;
  std::vector<int> in;
};

/// The chain for blocks of `count` elements.
std::vector<Piece> pieces(const Request& request, const Backend& backend, std::int64_t count) {
  std::vector<Piece> result;
  const Target alone{request.target.device, 1, request.target.controls};
  DType before = DType::float32;
  for (const Link& link : *request.operation.chain) {
    std::vector<TensorType> in;
    for (const int input : link.in) {
      const TensorType* type = input < 0 ? nullptr : &request.in[static_cast<std::size_t>(input)];
      const bool scalar = type != nullptr && type->shape.elements() == 1;
      in.push_back({type == nullptr ? before : type->dtype, Shape{scalar ? 1 : count}, {}});
    }
    if (in.size() > most_operands) throw Unsupported("an operation of a chain has too many operands");
    const TensorType out{link.out, Shape{count}, {}};
    result.push_back({backend.prepare(link.operation, in, std::span(&out, 1), alone), link.in});
    before = link.out;
  }
  return result;
}

struct Chain {
  std::vector<Piece> whole, rest;  // for whole blocks, and for what is left at the end
  std::int64_t elements = 0;
  std::vector<std::size_t> element_bytes;  // of each input; 0: a scalar, the same for every block
  std::size_t out_bytes = 0;

  void run(std::span<const View> in, std::span<const View> out, std::int64_t first, std::byte* between) const {
    const std::int64_t count = std::min(block, elements - first);
    const std::vector<Piece>& all = count == block ? whole : rest;
    std::byte* before = nullptr;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Piece& piece = all[i];
      std::array<View, most_operands> views{};
      for (std::size_t j = 0; j < piece.in.size(); ++j) {
        const int input = piece.in[j];
        std::byte* data = before;
        if (input >= 0) {
          const auto k = static_cast<std::size_t>(input);
          data = in[k].data + static_cast<std::size_t>(first) * element_bytes[k];
        }
        views[j] = {data, &piece.prepared.in[j]};
      }
      std::byte* to = i + 1 == all.size() ? out[0].data + static_cast<std::size_t>(first) * out_bytes
                                          : between + (i % 2) * block * sizeof(double);
      const View result{to, &piece.prepared.out[0]};
      Context none;
      piece.prepared.kernel->run({views.data(), piece.in.size()}, {&result, 1}, none);
      before = to;
    }
  }
};

}  // namespace

Prepared prepare_chain(const Request& request, const Backend& backend) {
  if (!request.operation.chain || request.operation.chain->empty()) throw Unsupported("a chain of no operations");
  require_count(request, request.in.size(), 1);
  const TensorType& result = request.out[0];
  Chain chain;
  chain.elements = result.shape.elements();
  if (chain.elements == 0) throw Unsupported("a tensor without elements");
  if (chain.elements >= block) chain.whole = pieces(request, backend, block);
  if (chain.elements % block != 0) chain.rest = pieces(request, backend, chain.elements % block);
  chain.out_bytes = size_of(result.dtype);
  for (const TensorType& type : request.in) {
    const bool scalar = type.shape.elements() == 1;
    if (!scalar && type.shape != result.shape)
      throw Unsupported("the operands of a chain have one shape, or are scalars");
    chain.element_bytes.push_back(scalar ? 0 : size_of(type.dtype));
  }
  for (const Piece& piece : chain.whole.empty() ? chain.rest : chain.whole) {
    if (piece.prepared.kernel->make_state() != nullptr || piece.prepared.workspace > 0)
      throw Unsupported("an operation of a chain needs memory of its own");
  }
  const auto operations = static_cast<double>(chain.elements) * static_cast<double>(request.operation.chain->size());
  const std::int64_t blocks = (chain.elements + block - 1) / block;
  const int threads = threads_for(operations * cost_of_link, request.target.threads);
  constexpr std::size_t between = 2 * block * sizeof(double);
  return answer(request, backend.name(), operations, threads, between * static_cast<std::size_t>(threads),
                [=](std::span<const View> in, std::span<const View> out, Context& context) {
                  parallel_parts(threads, [&](int part) {
                    const Range range = range_of(blocks, part, threads);
                    std::byte* own = context.workspace + between * static_cast<std::size_t>(part);
                    for (std::int64_t b = range.begin; b < range.end; ++b) chain.run(in, out, b * block, own);
                  });
                });
}

}  // namespace assay::engine

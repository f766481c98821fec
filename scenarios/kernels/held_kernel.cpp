#include "scenarios/kernels/held_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "engine/core/threads.hpp"

namespace assay::scenarios::kernels {
namespace {

using engine::Op;
using engine::TensorType;
using Types = std::vector<TensorType>;

// Above this the reference's plain loops take seconds: rows are picked instead.
constexpr double max_reference_flops = 5e8;
constexpr std::int64_t picked_rows = 16;

/// The layout that a plan keeps these dense weights [k,n] in, chosen by the forward product on `rows` rows.
engine::Layout packed_dense(std::int64_t rows, const engine::Shape& weights, const engine::Target& target) {
  TensorType any{engine::DType::float32, weights, {}};
  any.layout.kind = engine::Layout::Kind::any;
  const Types in{{engine::DType::float32, {rows, weights[0]}, {}}, any};
  const Types out{{engine::DType::float32, {rows, weights[1]}, {}}};
  return engine::prepare({Op::inner_product, {}}, in, out, target).in[1].layout;
}

/// Gives packed weights their layout: asked of the kernel itself where it chooses, else of the forward product.
void pack(const Size& size, const engine::Target& target, Types& in, Types& out) {
  switch (size.op) {
    case Op::inner_product_data:
      in[1].layout = packed_dense(in[0].shape[0], in[1].shape, target);
      break;
    case Op::inner_product_weights:
      out[0].layout = packed_dense(in[0].shape[0], out[0].shape, target);
      break;
    case Op::reorder:
      out[0].layout = packed_dense(128, in[0].shape, target);
      if (out[0].layout == in[0].layout) throw engine::Unsupported("weights of this shape stay plain: no reorder");
      break;
    default:
      in[1].layout.kind = engine::Layout::Kind::any;
  }
}

engine::Prepared prepared(const Size& size, const engine::Target& target) {
  Types in = size.in_types(), out = size.out_types();
  const bool prepack = target.controls->on(engine::Control::prepack);
  if (size.op == Op::reorder && !prepack) throw engine::Unsupported("engine.prepack is off: no reorder");
  if (size.packed && prepack) pack(size, target, in, out);
  return engine::prepare({size.op, size.attributes}, in, out, target);
}

double bytes_of(const Types& types) {
  double bytes = 0;
  for (const TensorType& type : types) bytes += static_cast<double>(type.bytes());
  return bytes;
}

/// Row `i` of the picked ones, among `rows`: first and last included.
std::int64_t picked(std::int64_t i, std::int64_t rows) { return i * (rows - 1) / (picked_rows - 1); }

/// Copies the picked rows of `from` to `to`, which has no others.
void pick_rows(const engine::View& from, const engine::View& to) {
  const std::int64_t rows = from.type->shape[0];
  const std::size_t row = from.type->bytes() / static_cast<std::size_t>(rows);
  for (std::int64_t i = 0; i < picked_rows; ++i)
    std::memcpy(to.data + static_cast<std::size_t>(i) * row,
                from.data + static_cast<std::size_t>(picked(i, rows)) * row, row);
}

}  // namespace

HeldKernel::HeldKernel(const Size& size, int threads, const engine::ControlSet& controls)
    : size_(size), target_{engine::Device::cpu, threads, &controls}, flops_(size.flops()) {
  engine::set_team_size(threads);
  buffers_ = std::make_unique<Buffers>(size.op, prepared(size, target_));
  for (std::size_t i = 0; i < size.in.size(); ++i) {
    const TensorType plain = size.in[i].type();
    if (buffers_->in(i).type->layout == plain.layout) {
      fill(size, i, buffers_->in(i));
      continue;
    }
    const engine::Storage drawn(plain.bytes());
    const engine::View view{drawn.data(), &plain};
    fill(size, i, view);
    copy(view, buffers_->in(i), target_);
  }
}

double HeldKernel::bytes() const { return bytes_of(buffers_->prepared().in) + bytes_of(buffers_->prepared().out); }

Traffic HeldKernel::traffic() const {
  const bool in_place = engine::is_update(size_.op);
  const double read = bytes_of(buffers_->prepared().in), written = bytes_of(buffers_->prepared().out);
  return {in_place ? read : read + written, written / (read + written), in_place};
}

double HeldKernel::error() {
  run();
  Size plain = size_;
  const bool rows = operation_info(size_.op).counted == Counted::product && flops_ > max_reference_flops;
  if (rows) plain.in[0].shape = plain.in[0].shape.with_rows(picked_rows);
  // a reorder changes no value, and only oneDNN knows its layouts: back again it must be what it was
  const bool moves = size_.op == Op::reorder;
  if (moves) plain.op = Op::reshape, plain.attributes.shape = plain.in[0].shape;
  Buffers expected(plain.op, engine::prepare({plain.op, plain.attributes}, plain.in_types(), plain.out_types(), target_,
                                             &engine::reference_backend()));
  for (std::size_t i = 0; i < plain.in.size(); ++i) {
    if (i > 0 || !rows) {
      fill(size_, i, expected.in(i));
      continue;
    }
    const TensorType whole = size_.in[0].type();
    const engine::Storage drawn(whole.bytes());
    const engine::View view{drawn.data(), &whole};
    fill(size_, 0, view);
    pick_rows(view, expected.in(0));
  }
  expected.run();

  double worst = 0;
  for (std::size_t i = 0; i < plain.out_types().size(); ++i) {
    const TensorType type = size_.out_types()[i];
    const engine::Storage whole(type.bytes()), some(expected.out(i).type->bytes());
    engine::View found{whole.data(), &type};
    copy(buffers_->out(i), found, target_);
    if (rows) {
      const engine::View picked_ones{some.data(), expected.out(i).type};
      pick_rows(found, picked_ones);
      found = picked_ones;
    }
    worst = std::max(worst, relative_error(found, expected.out(i)));
  }
  return worst;
}

}  // namespace assay::scenarios::kernels

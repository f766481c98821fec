#include <cstring>

#include "engine/data/stages/cache.hpp"

namespace assay::engine {

/// Elements one after the other in large blocks that never move, because readers borrow the memory.
struct CachedElements {
  struct CachedField {
    DType dtype;
    Shape shape;
    std::size_t bytes;
    const std::byte* data;
  };
  std::vector<CachedField> fields;
  std::vector<std::size_t> ends;  // of each element, in fields
  std::vector<std::shared_ptr<Storage>> blocks;
  std::size_t used = 0;  // bytes of the last block

  const std::byte* keep(const std::byte* data, std::size_t bytes) {
    constexpr std::size_t block = std::size_t{1} << 20;
    if (blocks.empty() || blocks.back()->bytes() - used < bytes) {
      blocks.push_back(make_storage(std::max(block, bytes)));
      used = 0;
    }
    std::byte* const place = blocks.back()->data() + used;
    if (bytes > 0) std::memcpy(place, data, bytes);
    constexpr std::size_t line = Storage::alignment;
    used = std::min(blocks.back()->bytes(), (used + bytes + line - 1) / line * line);
    return place;
  }

  void add(const Element& element) {
    for (const Field& field : element)
      fields.push_back({field.dtype(), field.shape(), field.bytes(), keep(field.data(), field.bytes())});
    ends.push_back(fields.size());
  }
};

namespace {

class FillingIterator final : public StageIterator {
 public:
  FillingIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input)
      : StageIterator(context), input_(std::move(input)) {}

 protected:
  bool produce(Element& out) override {
    if (input_->next(out)) {
      elements_->add(out);
      return true;
    }
    state().cache = elements_;  // the epoch was read to its end
    return false;
  }

 private:
  std::unique_ptr<StageIterator> input_;
  std::shared_ptr<CachedElements> elements_ = std::make_shared<CachedElements>();
};

class CachedIterator final : public StageIterator {
 public:
  CachedIterator(const IteratorContext& context, std::shared_ptr<const CachedElements> elements)
      : StageIterator(context), elements_(std::move(elements)) {}

 protected:
  bool produce(Element& out) override {
    if (element_ == elements_->ends.size()) return false;
    const std::size_t end = elements_->ends[element_++];
    out.resize(end - field_);
    for (Field& field : out) {
      const auto& cached = elements_->fields[field_++];
      field.borrow(cached.dtype, cached.shape, cached.bytes, cached.data);
    }
    return true;
  }

 private:
  const std::shared_ptr<const CachedElements> elements_;
  std::size_t element_ = 0, field_ = 0;
};

}  // namespace

std::unique_ptr<StageIterator> MemoryCacheStage::make_iterator(const IteratorContext& context) const {
  if (const auto cache = context.state().cache) return std::make_unique<CachedIterator>(context, cache);
  return std::make_unique<FillingIterator>(context, make_input_iterator(context, 0, cached_epoch));
}

}  // namespace assay::engine

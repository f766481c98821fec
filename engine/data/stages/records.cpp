#include "engine/data/stages/records.hpp"

#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"

namespace assay::engine {
namespace {

class RecordsIterator final : public StageIterator {
 public:
  RecordsIterator(const IteratorContext& context, const std::filesystem::path& file)
      : StageIterator(context), location_(context.description), in_(file) {}

 protected:
  bool produce(Element& out) override {
    pipeline().throw_if_stopped();
    return with_location(location_, index_++, [&] { return in_.read(out); });
  }

 private:
  const std::string location_;
  RecordReader in_;
  std::uint64_t index_ = 0;
};

}  // namespace

RecordsStage::RecordsStage(std::filesystem::path file) : Stage({}), file_(std::move(file)) {
  Element first;
  if (!RecordReader(file_).read(first)) throw DataError(file_.string() + ": expected 1 record or more, found 0");
}

std::string RecordsStage::identity() const { return describe() + " " + RecordReader(file_).fingerprint(); }

std::unique_ptr<StageIterator> RecordsStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<RecordsIterator>(context, file_);
}

}  // namespace assay::engine

#include "engine/core/atomic_file.hpp"
#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"
#include "engine/data/stages/cache.hpp"

namespace assay::engine {
namespace {

class WritingIterator final : public StageIterator {
 public:
  WritingIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input,
                  const std::filesystem::path& file, const std::string& identity)
      : StageIterator(context),
        location_(context.description),
        input_(std::move(input)),
        atomic_file_(file),
        out_(atomic_file_.path(), identity) {}

 protected:
  bool produce(Element& out) override {
    if (input_->next(out)) {
      with_location(location_, index_++, [&] { out_.write(out); });
      return true;
    }
    with_location(location_, index_, [&] {
      out_.finish();
      atomic_file_.commit();
    });
    return false;
  }

 private:
  const std::string location_;
  std::unique_ptr<StageIterator> input_;
  AtomicFile atomic_file_;  // before the writer: removed also where the first bytes do not fit
  RecordWriter out_;
  std::uint64_t index_ = 0;
};

class RecordIterator final : public StageIterator {
 public:
  RecordIterator(const IteratorContext& context, std::unique_ptr<RecordReader> in)
      : StageIterator(context), location_(context.description), in_(std::move(in)) {}

 protected:
  bool produce(Element& out) override {
    return with_location(location_, index_++, [&] { return in_->read(out); });
  }

 private:
  const std::string location_;
  std::unique_ptr<RecordReader> in_;
  std::uint64_t index_ = 0;
};

}  // namespace

FileCacheStage::FileCacheStage(StagePtr input, std::filesystem::path file)
    : Stage({std::move(input)}), file_(std::move(file)) {}

StagePtr FileCacheStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<FileCacheStage>(std::move(inputs.front()), file_);
}

std::unique_ptr<StageIterator> FileCacheStage::make_iterator(const IteratorContext& context) const {
  std::string& identity = context.state().cached_identity;
  if (identity.empty()) {
    identity = identity_of(*input()) + ", seed " + std::to_string(context.pipeline.options.seed);
    if (context.random_before > 0 && input()->randomness().stages > 0)
      identity += ", after " + std::to_string(context.random_before) + " random stages";
  }
  if (!std::filesystem::exists(file_))
    return std::make_unique<WritingIterator>(context, make_input_iterator(context, 0, cached_epoch), file_, identity);
  auto in = std::make_unique<RecordReader>(file_);
  if (in->identity() != identity) {
    throw DataError(file_.string() + ": it holds the cache of another pipeline: expected (" + identity + "), found (" +
                    in->identity() + "); delete the file or name another one");
  }
  return std::make_unique<RecordIterator>(context, std::move(in));
}

}  // namespace assay::engine

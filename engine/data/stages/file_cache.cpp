#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"
#include "engine/data/stages/cache.hpp"
#include "engine/data/stages/unfinished_file.hpp"

namespace assay::engine {
namespace {

class WritingCursor final : public Cursor {
 public:
  WritingCursor(const Opening& opening, std::unique_ptr<Cursor> input, const std::filesystem::path& file,
                const std::string& identity)
      : Cursor(opening),
        where_(opening.description),
        input_(std::move(input)),
        unfinished_(file),
        out_(unfinished_.path(), identity) {}

 protected:
  bool produce(Element& out) override {
    if (input_->next(out)) {
      with_place(where_, index_++, [&] { out_.write(out); });
      return true;
    }
    with_place(where_, index_, [&] {
      out_.finish();
      unfinished_.finish();
    });
    return false;
  }

 private:
  const std::string where_;
  std::unique_ptr<Cursor> input_;
  UnfinishedFile unfinished_;  // before what writes it: removed also where its first bytes do not fit
  RecordWriter out_;
  std::uint64_t index_ = 0;
};

class ReadingCursor final : public Cursor {
 public:
  ReadingCursor(const Opening& opening, std::unique_ptr<RecordReader> in)
      : Cursor(opening), where_(opening.description), in_(std::move(in)) {}

 protected:
  bool produce(Element& out) override {
    return with_place(where_, index_++, [&] { return in_->read(out); });
  }

 private:
  const std::string where_;
  std::unique_ptr<RecordReader> in_;
  std::uint64_t index_ = 0;
};

}  // namespace

FileCacheStage::FileCacheStage(StagePtr input, std::filesystem::path file)
    : Stage({std::move(input)}), file_(std::move(file)) {}

StagePtr FileCacheStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<FileCacheStage>(std::move(inputs.front()), file_);
}

std::unique_ptr<Cursor> FileCacheStage::open(const Opening& opening) const {
  std::string& identity = opening.state().cached_identity;
  if (identity.empty()) {
    identity = identity_of(*input()) + ", seed " + std::to_string(opening.reading.options.seed);
    if (opening.random_before > 0 && input()->randomness().stages > 0)
      identity += ", after " + std::to_string(opening.random_before) + " random stages";
  }
  if (!std::filesystem::exists(file_))
    return std::make_unique<WritingCursor>(opening, open_input(opening, 0, cached_epoch), file_, identity);
  auto in = std::make_unique<RecordReader>(file_);
  if (in->identity() != identity) {
    throw DataError(file_.string() + ": it caches another pipeline: expected (" + identity + "), found (" +
                    in->identity() + "); delete it, or name another file");
  }
  return std::make_unique<ReadingCursor>(opening, std::move(in));
}

}  // namespace assay::engine

#include <unistd.h>

#include <atomic>

#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"
#include "engine/data/stages/cache.hpp"

namespace assay::engine {
namespace {

/// Beside the cache's place, one for each that writes it.
std::filesystem::path unfinished(const std::filesystem::path& file) {
  static std::atomic<int> number{0};
  return file.string() + ".unfinished-" + std::to_string(getpid()) + "-" + std::to_string(number++);
}

class WritingCursor final : public Cursor {
 public:
  WritingCursor(const Opening& opening, std::unique_ptr<Cursor> input, const std::filesystem::path& file,
                const std::string& identity)
      : Cursor(opening),
        where_(opening.description),
        input_(std::move(input)),
        file_(file),
        unfinished_(unfinished(file)),
        out_(unfinished_, identity) {}
  ~WritingCursor() override {
    std::error_code ignored;  // there is none where the cache is whole
    std::filesystem::remove(unfinished_, ignored);
  }

 protected:
  bool produce(Element& out) override {
    if (input_->next(out)) {
      with_place(where_, index_++, [&] { out_.write(out); });
      return true;
    }
    with_place(where_, index_, [&] {
      out_.finish();
      std::filesystem::rename(unfinished_, file_);
    });
    return false;
  }

 private:
  const std::string where_;
  std::unique_ptr<Cursor> input_;
  const std::filesystem::path file_, unfinished_;
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
  if (identity.empty()) identity = identity_of(*input()) + ", seed " + std::to_string(opening.reading.options.seed);
  if (!std::filesystem::exists(file_))
    return std::make_unique<WritingCursor>(opening, open_input(opening), file_, identity);
  auto in = std::make_unique<RecordReader>(file_);
  if (in->identity() != identity) {
    throw DataError(file_.string() + ": it caches another pipeline: expected (" + identity + "), found (" +
                    in->identity() + "); delete it, or name another file");
  }
  return std::make_unique<ReadingCursor>(opening, std::move(in));
}

}  // namespace assay::engine

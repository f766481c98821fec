#include "engine/data/stages/records.hpp"

#include "engine/data/data_error.hpp"
#include "engine/data/records.hpp"

namespace assay::engine {
namespace {

class RecordsCursor final : public Cursor {
 public:
  RecordsCursor(const Opening& opening, const std::filesystem::path& file)
      : Cursor(opening), where_(opening.description), in_(file) {}

 protected:
  bool produce(Element& out) override {
    reading().throw_if_stopped();
    return with_place(where_, index_++, [&] { return in_.read(out); });
  }

 private:
  const std::string where_;
  RecordReader in_;
  std::uint64_t index_ = 0;
};

}  // namespace

RecordsStage::RecordsStage(std::filesystem::path file) : Stage({}), file_(std::move(file)) {
  Element first;
  if (!RecordReader(file_).read(first))
    throw DataError(file_.string() + ": the source is empty: expected 1 record or more, found 0");
}

std::string RecordsStage::identity() const { return describe() + " " + RecordReader(file_).fingerprint(); }

std::unique_ptr<Cursor> RecordsStage::open(const Opening& opening) const {
  return std::make_unique<RecordsCursor>(opening, file_);
}

}  // namespace assay::engine

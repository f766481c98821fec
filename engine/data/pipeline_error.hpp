#pragma once
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace assay::engine {

/// What stopped a pipeline: the stage, the index of the element in this epoch (from 0), and what was thrown there. It
/// reaches the consumer once; the epoch is over then.
class PipelineError : public std::runtime_error {
 public:
  PipelineError(const std::string& stage, std::uint64_t index, const std::string& what, std::exception_ptr cause = {})
      : std::runtime_error(stage + ", element " + std::to_string(index) + ": " + what),
        stage_(stage),
        index_(index),
        cause_(std::move(cause)) {}

  const std::string& stage() const { return stage_; }
  std::uint64_t index() const { return index_; }
  /// What the map or the source threw; null where the pipeline itself found the error.
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::string stage_;
  std::uint64_t index_;
  std::exception_ptr cause_;
};

/// Thrown by a read after Reader::cancel, and within threads whose epoch is over.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("the pipeline was cancelled") {}
};

/// Runs fn(). Turns what it throws into a PipelineError of this stage and element, unless it is one already.
template <class Fn>
auto with_location(const std::string& stage, std::uint64_t index, Fn&& fn) {
  try {
    return fn();
  } catch (const PipelineError&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    throw PipelineError(stage, index, error.what(), std::current_exception());
  } catch (...) {
    throw PipelineError(stage, index, "an exception of an unknown type", std::current_exception());
  }
}

}  // namespace assay::engine

#pragma once
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>

namespace assay::engine {

/// A short list that lives on the stack, at most N elements: what one operation reads or writes. Contiguous, so that it
/// converts to a span (Boost's static_vector of 1.74 does not).
template <class T, std::size_t N>
class InlineVector {
 public:
  using value_type = T;

  InlineVector() = default;
  /// `count` default values.
  explicit InlineVector(std::size_t count) : size_(count) { assert(count <= N); }
  InlineVector(std::initializer_list<T> values) : InlineVector(values.begin(), values.end()) {}
  template <class Iterator>
  InlineVector(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  void push_back(T value) {
    assert(size_ < N);
    values_[size_++] = std::move(value);
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T& back() { return values_[size_ - 1]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + size_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }

  bool operator==(const InlineVector&) const = default;  // unused elements stay at their default

 private:
  std::array<T, N> values_{};
  std::size_t size_ = 0;
};

}  // namespace assay::engine

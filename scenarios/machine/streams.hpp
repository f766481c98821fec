#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace assay::scenarios::machine {

/// The three walks through memory that bandwidth is measured by, as STREAM counts them: bytes that the program reads
/// plus those that it writes, not what a cache fetches to write a line.
enum class Walk : std::uint8_t { read, copy, triad };

struct WalkInfo {
  Walk walk;
  std::string_view name;
  int arrays;  // of equal size; so many bytes move for each byte of one array
};
std::span<const WalkInfo> walks();

/// sum of `from`. Sizes of all three are a multiple of stream_grain; pointers are 64-byte aligned.
float read(const float* from, std::int64_t count);
/// to = from, by the C library's memcpy: what the libraries of the system use.
void copy(float* to, const float* from, std::int64_t count);
/// to = left + factor * right.
void triad(float* to, const float* left, const float* right, float factor, std::int64_t count);

/// Elements that one turn of the widest loop takes.
constexpr std::int64_t stream_grain = 128;

}  // namespace assay::scenarios::machine

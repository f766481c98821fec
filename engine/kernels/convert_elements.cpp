#include "engine/kernels/convert_elements.hpp"

#include <Eigen/Core>

#include "engine/core/convert.hpp"
#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

template <class From, class To>
void convert_each(const std::byte* from, std::byte* to, std::int64_t n) {
  const auto* __restrict x = reinterpret_cast<const From*>(from);
  auto* __restrict y = reinterpret_cast<To*>(to);
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Float16>) {
    // Eigen's conversion is the processor's own instruction where it has one: round to nearest even, subnormals kept
    // whatever the denormal mode.
    using Eigen::Map, Eigen::ArrayX;
    Map<ArrayX<Eigen::half>>(reinterpret_cast<Eigen::half*>(y), n) = Map<const ArrayX<float>>(x, n).cast<Eigen::half>();
  } else if constexpr (std::is_same_v<From, Float16> && std::is_same_v<To, float>) {
    using Eigen::Map, Eigen::ArrayX;
    Map<ArrayX<float>>(y, n) = Map<const ArrayX<Eigen::half>>(reinterpret_cast<const Eigen::half*>(x), n).cast<float>();
  } else {
    for (std::int64_t i = 0; i < n; ++i) y[i] = convert<To>(x[i]);
  }
}

constexpr std::int64_t grain = 64;  // whole cache lines of every type

}  // namespace

ConvertLoop convert_loop(DType from, DType to) {
  return visit_dtype(from, [to](auto source) {
    return visit_dtype(to, [](auto result) -> ConvertLoop { return convert_each<decltype(source), decltype(result)>; });
  });
}

void convert_elements(const View& from, const TensorType& type, std::byte* to, DType dtype, int threads) {
  const ConvertLoop loop = convert_loop(type.dtype, dtype);
  const auto source = static_cast<std::int64_t>(size_of(type.dtype)),
             result = static_cast<std::int64_t>(size_of(dtype));
  parallel_for(
      type.shape.elements(), threads,
      [&](std::int64_t begin, std::int64_t end) { loop(from.data + begin * source, to + begin * result, end - begin); },
      grain);
}

}  // namespace assay::engine

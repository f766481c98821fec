#pragma once
#include <string>
#include <vector>

#include "engine/kernels/backend.hpp"

namespace assay::engine::testing {

/// A tensor of a test: its type, and its elements as float64 whatever the type.
struct Values {
  TensorType type;
  std::vector<double> elements;
};

/// Float32 unless said.
Values values(Shape shape, std::vector<double> elements, DType dtype = DType::float32);
/// Seeded standard normals; rounded to the type.
Values normals(Shape shape, std::uint64_t seed, DType dtype = DType::float32);
/// The elements after rounding to another type.
Values as(const Values& tensor, DType dtype);

struct OperationResult {
  std::vector<Values> out;
  Prepared prepared;
};

/// Prepares for the back end (null: the dispatcher's choice), runs once and returns the outputs. Packed layouts stay
/// packed in `prepared`; inputs and outputs here must be plain.
OperationResult run_operation(const Operation& operation, const std::vector<Values>& in,
                              const std::vector<TensorType>& out, const Backend* backend, int threads = 1,
                              const ControlSet& controls = {});

/// Buffers for one prepared kernel, to run it by hand; inputs are filled with `in` where those are plain.
class Bench {
 public:
  Bench(const Prepared& prepared, const std::vector<Values>& in);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void run();
  Values out(std::size_t i) const;
  std::byte* input(std::size_t i);
  std::byte* output(std::size_t i);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

/// Sum of squared differences over the sum of squares expected (over 1 where that is 0).
double normalised_error(const std::vector<double>& found, const std::vector<double>& expected);

}  // namespace assay::engine::testing

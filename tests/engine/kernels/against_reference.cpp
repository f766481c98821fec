#include <set>

#include "engine/controls/library.hpp"
#include "tests/catch.hpp"
#include "tests/engine/allocation_counter.hpp"
#include "tests/engine/kernels/operation_cases.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

// Relative root mean square error of 3e-6 and 1e-13: a few units in the last place over the longest sums here.
double tolerance(DType dtype) { return dtype == DType::float64 ? 1e-26 : 1e-11; }

void check_against_reference(const Backend& backend, const OperationCase& test) {
  const OperationResult expected = run_operation(test.operation, test.in, test.out, &reference_backend());
  for (const int threads : {1, 2}) {
    INFO(backend.name() << ": " << test.name << ", " << threads << " threads");
    const OperationResult found = run_operation(test.operation, test.in, test.out, &backend, threads);
    CHECK(found.prepared.info.threads <= threads);
    for (std::size_t i = 0; i < test.out.size(); ++i) {
      CHECK((found.prepared.out[i] == test.out[i]));
      const DType dtype = test.out[i].dtype;
      if (dtype == DType::float32 || dtype == DType::float64) {
        CHECK(normalised_error(found.out[i].elements, expected.out[i].elements) < tolerance(dtype));
      } else {
        CHECK((found.out[i].elements == expected.out[i].elements));
      }
    }
  }
}

Prepared prepared_for(const OperationCase& test, const Backend* backend, int threads) {
  static const ControlSet controls;
  std::vector<TensorType> in;
  for (const Values& tensor : test.in) in.push_back(tensor.type);
  return prepare(test.operation, in, test.out, {Device::cpu, threads, &controls}, backend);
}

bool declines(const Backend& backend, const OperationCase& test) {
  try {
    prepared_for(test, &backend, 1);
    return false;
  } catch (const Unsupported&) {
    return true;
  }
}

bool is_matrix_work(Op op) { return op <= Op::conv2d_weights; }

}  // namespace

TEST_CASE("the cases cover every operation but reorder and groups, which have tests of their own") {
  std::set<Op> covered;
  for (const OperationCase& test : operation_cases(DType::float32)) covered.insert(test.operation.op);
  CHECK(covered.size() == op_count - 3);
  CHECK(covered.count(Op::reorder) == 0);
}

TEST_CASE("eigen agrees with the reference back end") {
  for (const DType dtype : {DType::float32, DType::float64}) {
    int declined = 0;
    for (const OperationCase& test : operation_cases(dtype)) {
      if (declines(eigen_backend(), test)) {
        ++declined;
        // The one thing that Eigen leaves to the reference: reduced axes with kept ones between them.
        INFO(test.name);
        CHECK(test.operation.attributes.axes == 5);
        continue;
      }
      check_against_reference(eigen_backend(), test);
    }
    CHECK(declined == 4);
  }
}

TEST_CASE("oneDNN agrees with the reference back end and declines none of its operations in float32") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  for (const OperationCase& test : operation_cases(DType::float32)) {
    if (!is_matrix_work(test.operation.op)) {
      CHECK(declines(onednn_backend(), test));
      continue;
    }
    check_against_reference(onednn_backend(), test);
  }
}

TEST_CASE("a run gives the same bits every time, and element-wise work on any number of threads") {
  for (const OperationCase& test : operation_cases(DType::float32)) {
    INFO(test.name);
    const OperationResult once = run_operation(test.operation, test.in, test.out, nullptr, 2);
    const OperationResult again = run_operation(test.operation, test.in, test.out, nullptr, 2);
    const OperationResult serial = run_operation(test.operation, test.in, test.out, nullptr, 1);
    const bool sums =
        is_matrix_work(test.operation.op) || test.operation.op == Op::sum || test.operation.op == Op::mean;
    for (std::size_t i = 0; i < test.out.size(); ++i) {
      CHECK((once.out[i].elements == again.out[i].elements));
      if (!sums) CHECK((once.out[i].elements == serial.out[i].elements));
    }
  }
}

TEST_CASE("a run allocates nothing") {
  for (const Backend* backend : {&reference_backend(), &eigen_backend(), &onednn_backend()}) {
    for (const OperationCase& test : operation_cases(DType::float32)) {
      if (declines(*backend, test)) continue;
      INFO(backend->name() << ": " << test.name);
      Bench bench(prepared_for(test, backend, 2), test.in);
      bench.run();  // the team of threads starts here, once a process
      CHECK(count_allocations([&] { bench.run(); }).ours == 0);
    }
  }
}

#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/cases/parameters.hpp"
#include "harness/cases/reporter.hpp"

namespace assay::harness {

/// timed: repeated in rounds. trained: once a seed. exact: once a run (counts, equivalences, rates). service: runs
/// until told to stop.
enum class CaseKind { timed, trained, exact, service };

/// What a parameter's value stands for besides itself: controls that it turns off, environment set before the start.
struct StandsFor {
  std::vector<std::string> off;
  std::map<std::string, std::string> environment;
};

struct ParameterInfo {
  std::string name;
  std::vector<std::string> values;
  std::string default_value;
  std::map<std::string, StandsFor> stands_for;  // by value
};

/// `exact`: the metric has the same value in each process (counts, bytes, equivalences), so that one process is enough.
/// What depends on a time is never exact: a rate, a share of a rate, a number of calls that pays for something.
struct MetricInfo {
  std::string name, unit, better;
  bool exact = false;
};

/// An artifact of another case, which runs before this one. With `same_seed` it is made once for each seed, else once
/// with the run's seed.
struct Dependency {
  std::string artifact;
  std::string from;  // configuration, "tracing.weights"
  bool same_seed = false;
};

/// One case: its body and what the harness must know to run it. The setters can be chained.
class Case {
 public:
  using Body = std::function<void(const Parameters&, Reporter&)>;
  Case(std::string name, CaseKind kind, Body body);

  /// The first value is the default.
  Case& parameter(const std::string& name, std::vector<std::string> values);
  /// Declares what `parameter=value` stands for.
  Case& stands_for(const std::string& parameter, const std::string& value, StandsFor what);
  Case& metric(const std::string& name, const std::string& unit, const std::string& better);
  Case& exact_metric(const std::string& name, const std::string& unit, const std::string& better);
  Case& needs(const std::string& artifact, const std::string& from, bool same_seed = false);
  Case& environment(const std::string& name, const std::string& value);
  /// A prefix of the command line, for example {"mpirun", "-n", "2"}.
  Case& launch(std::vector<std::string> prefix);

  std::string name;  // "step"
  CaseKind kind;
  Body body;
  std::vector<ParameterInfo> parameters;
  std::vector<MetricInfo> metrics;
  std::vector<Dependency> needed;
  std::map<std::string, std::string> env;
  std::vector<std::string> launch_prefix;
};

/// A ratio (or difference) of one metric between two configurations of a group, formed inside each round (or seed).
struct Comparison {
  std::string id;  // "eager_step"; the full id is scenario.id
  std::string metric;
  std::string baseline, candidate;  // configurations: "step{mode=traced}"
  std::string form = "ratio";       // or "difference"
  double margin = 0.05;             // inside it the two are `same`: relative for a ratio, absolute for a difference
};

/// The configurations that share rounds (timed) or seeds (trained). An exact case is a group of its own.
struct Group {
  std::string name;
  std::vector<std::string> configurations;
};

/// What `ablate` measures: a metric of one timed configuration, with each control alone off and alone on whose name
/// begins with `controls`.
struct AblatedMetric {
  std::string configuration, metric, controls{};
};

/// Where something stands in the program's sources, from the root of the project; empty where that is not known.
struct Declaration {
  std::string file{};
  int line = 1;
};

/// What the gate watches: a metric of one configuration. `effect` is the smallest change that matters for a time (0.03
/// is 3 %); without one the metric is exact (a count, bytes, accuracy), and any change is reported.
struct GatedMetric {
  std::string configuration, metric;
  std::optional<double> effect;
  Declaration declared_at{};
};

/// A set of cases, their comparisons, and how long they may take.
class Scenario {
 public:
  Scenario(std::string name, std::string question);

  Case& timed(const std::string& name, Case::Body body);
  Case& trained(const std::string& name, Case::Body body);
  Case& exact(const std::string& name, Case::Body body);
  Case& service(const std::string& name, Case::Body body);
  Scenario& group(const std::string& name, std::vector<std::string> configurations);
  Scenario& compare(Comparison comparison);
  /// Declares what `ablate` measures. Without any, it measures every time of the configurations that switch nothing
  /// off.
  Scenario& ablate(const std::string& configuration, const std::string& metric, const std::string& controls = "");
  /// A time that the gate watches, from an effect on.
  Scenario& gate(const std::string& configuration, const std::string& metric, double effect = 0.03,
                 std::source_location here = std::source_location::current());
  /// A count, bytes or accuracy that the gate watches exactly.
  Scenario& gate_exactly(const std::string& configuration, const std::string& metric,
                         std::source_location here = std::source_location::current());
  /// Seconds that the scenario may take in a profile, on 2 cores.
  Scenario& budget(const std::string& profile, double seconds);
  /// A length of the protocol (rows, epochs, steps), which cases read as parameters.length(name). The second form is
  /// for one profile alone.
  Scenario& length(const std::string& name, std::int64_t value);
  Scenario& length(const std::string& profile, const std::string& name, std::int64_t value);
  /// The lengths in a profile, by name.
  std::map<std::string, std::int64_t> lengths_in(const std::string& profile) const;

  std::string name, question;
  std::vector<std::unique_ptr<Case>> cases;
  std::vector<Group> groups;
  std::vector<Comparison> comparisons;
  std::vector<AblatedMetric> ablations;
  std::vector<GatedMetric> gates;
  std::map<std::string, double> budgets;
  std::map<std::string, std::map<std::string, std::int64_t>> lengths;  // by profile; of all profiles by ""
};

}  // namespace assay::harness

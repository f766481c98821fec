#include "harness/stats/proportion.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>
#include <string>

namespace assay::harness {

// Exact, since the shares of interest lie near 0 or 1, where the normal approximation gives an interval of no width.
Proportion proportion(int successes, int trials) {
  if (successes < 0 || successes > trials)
    throw std::domain_error("proportion: " + std::to_string(successes) + " of " + std::to_string(trials));
  if (trials == 0) return {};
  using Binomial = boost::math::binomial_distribution<double>;
  return {successes, trials, Binomial::find_lower_bound_on_p(trials, successes, 0.025),
          Binomial::find_upper_bound_on_p(trials, successes, 0.025)};
}

}  // namespace assay::harness

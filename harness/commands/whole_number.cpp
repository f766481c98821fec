#include "harness/commands/whole_number.hpp"

#include <charconv>

namespace assay::harness {

CLI::Validator whole_number(std::uint64_t least) {
  return {[least](std::string& text) -> std::string {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error == std::errc{} && end == text.data() + text.size() && number >= least) return "";
            return "expected a whole number from " + std::to_string(least) + " up, found '" + text + "'";
          },
          "NUMBER"};
}

}  // namespace assay::harness

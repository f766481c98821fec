#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstdio>
#include <map>
#include <sstream>

#include "harness/gate/render.hpp"

namespace assay::harness {
namespace {

using boost::property_tree::ptree;
using nlohmann::json;

/// Replaces what XML 1.0 does not allow and a program's messages may contain: control characters except tab and line
/// feed, U+FFFE, U+FFFF, and bytes that are no UTF-8.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') c = ' ';
  for (const char* noncharacter : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = text.find(noncharacter); at != std::string::npos; at = text.find(noncharacter, at))
      text.replace(at, 3, " ");
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

/// The child element of a verdict; none for a benchmark that passed.
const char* element_of(const std::string& verdict) {
  static const std::map<std::string, const char*> table{{"regressed", "failure"}, {"invalid", "error"},
                                                        {"undecided", "skipped"}, {"skipped", "skipped"},
                                                        {"new", "skipped"},       {"gone", "skipped"}};
  const auto found = table.find(verdict);
  return found == table.end() ? nullptr : found->second;
}

/// Seconds without an exponent, which the format does not allow.
std::string decimal(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

ptree test_case(const std::string& class_name, const std::string& name, const std::string& element,
                const std::string& type, const std::string& message) {
  ptree one;
  one.put("<xmlattr>.classname", plain(class_name));
  one.put("<xmlattr>.name", plain(name));
  one.put("<xmlattr>.time",
          "0");  // the rounds of all benchmarks are interleaved, so one benchmark has no time of its own
  if (element.empty()) return one;
  ptree child;
  child.put("<xmlattr>.message", plain(message));
  if (element != "skipped") {
    child.put("<xmlattr>.type", type);
    child.put_value(plain(message));
  }
  one.add_child(element, child);
  return one;
}

}  // namespace

std::string gate_junit(const json& document) {
  const json& gate = document.at("gate");
  ptree suite;
  std::map<std::string, int> count;
  std::vector<ptree> cases;
  for (const json& row : gate.at("benchmarks")) {
    const std::string verdict = row.at("verdict"), configuration = row.at("configuration");
    std::string element = element_of(verdict) ? element_of(verdict) : "";
    if (verdict == "undecided" && gate.at("fail_on_undecided").get<bool>()) element = "failure";
    ++count[element];
    std::string message = verdict + " " + row_text(row);
    if (const std::string note = row_note(row); !note.empty()) message += ": " + note;
    cases.push_back(test_case("gate." + configuration.substr(0, configuration.find('{')),
                              configuration + " " + row.at("metric").get<std::string>(), element, verdict, message));
  }
  const int code = gate.at("exit").at("code");
  if (code == 4 || code == 5) {
    std::string causes;
    for (const json& cause : gate.at("exit").at("causes"))
      causes += (causes.empty() ? "" : "; ") + cause.get<std::string>();
    ++count["error"];
    cases.push_back(test_case("gate", "the machine and the baseline", "error", "exit " + std::to_string(code), causes));
  }
  suite.put("<xmlattr>.name", "assay gate");
  suite.put("<xmlattr>.tests", cases.size());
  suite.put("<xmlattr>.failures", count["failure"]);
  suite.put("<xmlattr>.errors", count["error"]);
  suite.put("<xmlattr>.skipped", count["skipped"]);
  double seconds = 0;
  for (const json& process : document.at("processes"))
    if (process.at("wall_s").is_number()) seconds += process.at("wall_s").get<double>();
  suite.put("<xmlattr>.time", decimal(seconds));
  suite.put("<xmlattr>.timestamp", document.at("created").get<std::string>().substr(0, 19));
  for (const auto& one : cases) suite.add_child("testcase", one);
  ptree root;
  root.add_child("testsuites.testsuite", suite);
  std::ostringstream out;
  boost::property_tree::write_xml(out, root, boost::property_tree::xml_writer_settings<std::string>(' ', 1));
  return out.str();
}

}  // namespace assay::harness

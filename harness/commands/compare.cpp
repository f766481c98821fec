#include <CLI/CLI.hpp>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/results/read_run.hpp"
#include "harness/results/side_by_side.hpp"
#include "harness/results/store.hpp"

namespace assay::harness {

void add_compare(CLI::App& app, const Program&, int&) {
  auto* command = app.add_subcommand(
      "compare", "runs of several machines or days beside each other: claims, ratios, and times of one machine");
  command->footer(
      "Examples:\n"
      "  ./assay compare results/runs/A results/runs/B\n"
      "  ./assay compare results/machines/*/run.json --markdown > machines.md");
  struct Arguments {
    std::vector<std::string> runs;
    bool absolute = false, json = false, markdown = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("RUN", a->runs, "folders of finished runs, or their run.json")->required()->expected(2, 1000);
  command->add_flag("--absolute", a->absolute, "show times of different machines too, marked");
  auto* json = command->add_flag("--json", a->json, "as JSON");
  command->add_flag("--markdown", a->markdown, "as Markdown")->excludes(json);
  command->callback([a] {
    std::vector<nlohmann::json> documents;
    for (const auto& run : a->runs) documents.push_back(read_run(run));
    const auto sides = side_by_side(documents, a->absolute);
    if (a->json)
      std::cout << document_text(sides);
    else
      print_side_by_side(sides, std::cout, a->markdown);
  });
}

}  // namespace assay::harness

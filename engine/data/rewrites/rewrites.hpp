#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/controls/controls.hpp"
#include "engine/data/stage.hpp"

namespace assay::engine {

/// One automatic rewrite: gives the same elements in the same order, another way. It adds to `changes` what it changed.
using Rewrite = StagePtr (*)(const StagePtr& last, int& changes);

StagePtr remove_noops(const StagePtr& last, int& changes);         // remove_noops.cpp
StagePtr fuse_shuffle_repeat(const StagePtr& last, int& changes);  // …
StagePtr parallelize_map(const StagePtr& last, int& changes);
StagePtr fuse_map_batch(const StagePtr& last, int& changes);
StagePtr inject_prefetch(const StagePtr& last, int& changes);

/// A pipeline after its rewrites, and what each did: its control, how often, and why not where there was something to
/// say.
struct Rewritten {
  struct Pass {
    Control control;
    std::string name;  // of the control
    int changes = 0;
  };
  StagePtr last;
  std::vector<Pass> passes;           // those that are on, in order
  std::vector<std::string> withheld;  // "map augment stays sequential: it keeps state between its calls"
};
Rewritten rewrite(const StagePtr& last, const ControlSet& controls);

/// Puts change(stage) in the place of each stage, inputs first. Null leaves it. What several stages read is changed
/// once.
StagePtr changed(const StagePtr& last, int& changes, const std::function<StagePtr(const StagePtr&)>& change);

}  // namespace assay::engine

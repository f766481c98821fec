#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/controls/controls.hpp"
#include "engine/data/stage.hpp"

namespace assay::engine {

/// An automatic rewrite of a pipeline that gives the same elements in the same order. It adds its changes to `changes`.
using Rewrite = StagePtr (*)(const StagePtr& last, int& changes);

StagePtr remove_noops(const StagePtr& last, int& changes);  // remove_noops.cpp, and so on
StagePtr fuse_shuffle_repeat(const StagePtr& last, int& changes);
StagePtr parallelize_map(const StagePtr& last, int& changes);
StagePtr fuse_map_batch(const StagePtr& last, int& changes);
StagePtr inject_prefetch(const StagePtr& last, int& changes);

/// A pipeline after its rewrites, and what each of them did.
struct RewriteResult {
  struct Pass {
    Control control;
    std::string name;  // of the control
    int changes = 0;
  };
  StagePtr last;
  std::vector<Pass> passes;           // those that are on, in order
  std::vector<std::string> withheld;  // "map augment stays sequential: it keeps state between its calls"
};
RewriteResult rewrite(const StagePtr& last, const ControlSet& controls);

/// Replaces each stage by change(stage), inputs first; null keeps the stage. A stage that several others read is
/// changed once.
StagePtr replace_stages(const StagePtr& last, int& changes, const std::function<StagePtr(const StagePtr&)>& change);

}  // namespace assay::engine

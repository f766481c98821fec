"""What tracing costs is formed of several times at once: each figure comes with its repetitions, none as a bare number."""

import json
import math

from program import assay


def test_costs_have_a_spread_and_counts_do_not(tmp_path):
    assert assay("case", "tracing.weights", "--out", tmp_path).returncode == 0
    done = assay(
        *("case", "tracing.trace_cost", "--artifact", f"weights={tmp_path}/weights.safetensors", "--out", tmp_path),
        *("--threads", 2, "--repetitions", 1, "--length", "steps=5"),
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    samples = {e["metric"]: e["values"] for e in events if e["event"] == "samples"}
    counts = {e["metric"]: e["value"] for e in events if e["event"] == "value"}
    spread = {"trace_record", "trace_plan", "trace_bind", "trace_total", "share_of_eager_step_saved", "packed_weights_save"}
    spread.add("dispatch_an_operation")
    assert spread <= set(samples)
    reasons = [e["value"]["reason"] for e in events if e["event"] == "choice" and e["name"] == "break_even_calls"]
    assert ("break_even_calls" in samples) != bool(reasons)
    for metric, values in samples.items():
        assert len(values) == 7 and all(map(math.isfinite, values)), metric
    assert counts["traces_of_ten_numbers"] == 1 and counts["traces_of_fifty_lengths"] == 50
    assert set(counts) == {"first_trace_in_process", "traces_of_ten_numbers", "traces_of_fifty_lengths", "eager_operations_a_step"}
    for whole, *parts in zip(*(samples[f"trace_{part}"] for part in ("total", "record", "plan", "bind"))):
        assert math.isclose(whole, sum(parts), rel_tol=1e-9)

"""./assay gate on toy programs whose times, counts and faults are known: verdicts, exit codes, files."""

import json
import re

import pytest
from gate_program import GATES, body, document_of, gate, gated, row, valid_junit, valid_sarif
from program import ROOT, assay


@pytest.fixture
def against(toy, tmp_path):
    """Runs a gate of two toys and returns the finished process with its document."""

    def run(candidate=None, baseline=None, *arguments, candidate_scenario=None, baseline_scenario=None, **options):
        base = toy(baseline or body(), name="baseline", **(baseline_scenario or gated()))
        cand = toy(candidate or body(), name="candidate", **(candidate_scenario or gated()))
        out = tmp_path / "run"
        done = gate("--baseline", base, "--program", cand, "--out", out, *arguments, **options)
        return done, document_of(out) if (out / "run.json").exists() else None

    return run


def test_nothing_changed_passes_and_writes_every_file(against, tmp_path):
    files = {name: tmp_path / f"gate.{name}" for name in ("junit", "sarif", "markdown", "summary")}
    options = [word for name in ("junit", "sarif", "markdown") for word in (f"--{name}", files[name])]
    done, document = against(None, None, *options, env={"GITHUB_STEP_SUMMARY": str(files["summary"])})
    assert done.returncode == 0, done.stderr + done.stdout
    assert row(document)["verdict"] == "same"
    assert row(document, "kernels")["verdict"] == "same"
    assert "passed" in done.stdout
    assert [p["name"] for p in document["programs"]] == ["candidate", "baseline", "null"]
    suite = valid_junit(files["junit"])
    assert [case["children"] for case in suite["children"]] == [[], []]
    assert valid_sarif(files["sarif"])["results"] == []
    assert "| `toy.step` step_time | same |" in files["markdown"].read_text()
    assert files["summary"].read_text().startswith(files["markdown"].read_text())
    # every process keeps its place and its samples: the verdict can be formed again from the document
    assert len(row(document)["samples"]) == row(document)["rounds"]["stage_1"]
    times = [v for v in document["values"] if v["metric"] == "step_time"]
    assert {v["program"]: len(v["samples"]) for v in times}["candidate"] == 2 * len(row(document)["samples"])


def test_ten_percent_slower_is_a_regression(against, tmp_path):
    done, document = against(body("1.1"), None, "--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.sarif", "--markdown", tmp_path / "m.md")
    assert done.returncode == 1, done.stderr + done.stdout
    assert row(document)["verdict"] == "regressed"
    assert 1.08 < row(document)["estimate"] < 1.12
    assert row(document)["low"] > 1.03
    assert "toy.step step_time regressed" in done.stdout
    assert [c["tag"] for case in valid_junit(tmp_path / "j.xml")["children"] for c in case["children"]] == ["failure"]
    (result,) = valid_sarif(tmp_path / "s.sarif")["results"]
    assert result["level"] == "error"
    assert "**regressed**" in (tmp_path / "m.md").read_text()


def test_five_percent_slower_is_found_too(against):
    done, document = against(body("1.05"))
    assert done.returncode == 1, done.stderr + done.stdout
    assert row(document)["verdict"] == "regressed"
    assert 1.03 < row(document)["low"] < 1.05 < row(document)["high"] < 1.07


def test_ten_percent_faster_is_an_improvement_and_passes(against):
    done, document = against(body("0.9"))
    assert done.returncode == 0, done.stderr + done.stdout
    assert row(document)["verdict"] == "improved"


def test_a_count_that_rose_fails_without_statistics(against):
    done, document = against(body(kernels=13))
    assert done.returncode == 1, done.stderr + done.stdout
    assert row(document, "kernels")["verdict"] == "regressed"
    assert "12 -> 13 kernels" in done.stdout
    assert row(document)["verdict"] == "same"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (body(correct=False), 'check "answer" failed'),
        (body(before="os.kill(os.getpid(), 6)\n"), "signal 6"),
        ("print('not an event')\n", "it printed a line that is not JSON"),
        (body('float("nan")').replace("[time_ns] * 3", "[None] * 3"), "no number"),
    ],
    ids=["wrong answer", "crash", "rubbish", "no number"],
)
def test_a_candidate_that_breaks(against, tmp_path, fault, reason):
    done, document = against(fault, None, "--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.sarif")
    assert done.returncode == 3, done.stderr + done.stdout
    assert row(document)["verdict"] == "invalid"
    assert reason in row(document)["reason"]
    assert row(document)["estimate"] is None
    valid_junit(tmp_path / "j.xml")
    valid_sarif(tmp_path / "s.sarif")


def test_a_baseline_that_breaks_leaves_nothing_to_compare_with(against):
    done, document = against(None, body(before="sys.exit(1)\n"))
    assert done.returncode == 4, done.stderr + done.stdout
    assert row(document)["verdict"] == "invalid"
    assert row(document)["reason"].startswith(("baseline failed", "null failed"))  # whichever ran first


def test_a_benchmark_that_the_baseline_lacks_is_new(against):
    done, document = against(baseline_scenario=gated(gates=[], cases=[], groups=[], comparisons=[]), baseline=body())
    assert done.returncode == 4
    assert document is None
    assert "none of the gated benchmarks" in done.stderr


def test_a_new_benchmark_beside_others_leaves_the_code_alone(against, tmp_path):
    slow = {"configuration": "toy.step{mode=slow}", "metric": "step_time", "effect": 0.03}
    theirs = gated()
    theirs["cases"] = json.loads(json.dumps(theirs["cases"]))
    theirs["cases"][0]["parameters"][0]["values"] = ["fast"]
    theirs |= {"groups": [], "comparisons": []}
    done, document = against(candidate_scenario=gated(gates=[*GATES, slow]), baseline_scenario=theirs)
    assert done.returncode == 0, done.stderr + done.stdout
    assert document["gate"]["counts"] == {"same": 2, "new": 1}


def test_a_baseline_of_another_protocol_names_the_version(toy, tmp_path):
    base = toy(body(), name="old", **gated())
    base.write_text(base.read_text().replace("'protocol': 1", "'protocol': 0"))
    done = gate("--baseline", base, "--program", toy(body(), name="new", **gated()), "--out", tmp_path / "run")
    assert done.returncode == 4
    assert "protocol: expected 1" in done.stderr and "found 0" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_budget_without_room_for_one_round(against):
    done, document = against(body("1.1"), None, "--budget", "0.001s")
    assert done.returncode == 4, done.stderr + done.stdout
    assert "no room for one round" in done.stdout
    assert row(document)["verdict"] == "undecided"


def test_a_budget_binds_what_is_counted_too(against):
    counted = [{"configuration": "toy.step", "metric": "kernels", "effect": None}, {"configuration": "toy.step{mode=slow}", "metric": "kernels", "effect": None}]
    slow = body(before="time.sleep(1)\n")
    done, document = against(slow, slow, "--budget", "2s", candidate_scenario=gated(gates=counted), baseline_scenario=gated(gates=counted))
    assert done.returncode == 0, done.stderr + done.stdout
    assert sorted(r["verdict"] for r in document["gate"]["benchmarks"]) == ["same", "undecided"]
    assert "the budget ended before it was counted" in done.stdout


def test_a_crash_that_does_not_come_again_is_said(against, tmp_path):
    once = f"import pathlib\nmark = pathlib.Path({str(tmp_path / 'crashed')!r})\nif '/cand/' in sys.argv[0] and not mark.exists():\n    mark.touch()\n    os.kill(os.getpid(), 6)\n"
    done, document = against(body(before=once))
    assert done.returncode == 0, done.stderr + done.stdout
    assert "broke once, its round was repeated: candidate toy.step: " in done.stdout
    assert len(document["gate"]["repeated"]) == 1


def test_a_gate_that_ends_before_it_measures_says_so_in_its_files(tmp_path, toy):
    files = {name: tmp_path / f"gate.{name}" for name in ("junit", "sarif", "markdown", "summary")}
    files["junit"].write_text("of the day before")
    options = [word for name in ("junit", "sarif", "markdown") for word in (f"--{name}", files[name])]
    done = gate("--baseline", tmp_path / "nothing", "--program", toy(body(), name="new", **gated()), *options, env={"GITHUB_STEP_SUMMARY": str(files["summary"])})
    assert done.returncode == 4
    assert valid_junit(files["junit"])["attributes"]["errors"] == "1"
    assert valid_sarif(files["sarif"])["invocations"][0]["executionSuccessful"] is False
    for name in ("markdown", "summary"):
        assert "no verdict" in files[name].read_text() and "expected a program" in files[name].read_text()


def test_wrong_words_leave_no_file_behind(tmp_path):
    done = gate("--self", "tracig", "--junit", tmp_path / "j.xml")
    assert done.returncode == 2
    assert not (tmp_path / "j.xml").exists()


@pytest.mark.parametrize("summary", ["/nowhere/summary", "/"])
def test_a_job_summary_that_cannot_be_written_is_said_and_the_gate_goes_on(against, summary):
    done, document = against(None, None, "--rounds", "4", env={"GITHUB_STEP_SUMMARY": summary})
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stderr.count(f"assay: {summary}: ") == 1
    assert row(document)["verdict"] == "same"


@pytest.mark.parametrize("order_seed", range(4))
def test_a_candidate_with_a_wrong_answer_is_exit_3_although_the_baseline_has_one_too(against, order_seed):
    done, document = against(body(correct=False), body(correct=False), "--order-seed", order_seed)
    assert done.returncode == 3, done.stderr + done.stdout
    assert 'candidate: check "answer" failed' in row(document)["reason"]


def test_a_gate_that_the_candidate_drops_is_judged_all_the_same(against):
    done, document = against(body("1.5", kernels=13), candidate_scenario=gated(gates=[]))
    assert done.returncode == 1, done.stderr + done.stdout
    for metric in ("step_time", "kernels"):
        assert row(document, metric)["verdict"] == "regressed"
        assert row(document, metric)["note"].startswith("the candidate does not gate it any more")
    assert done.stdout.count("the candidate does not gate it any more") == 2


def test_an_effect_that_the_candidate_loosens_is_not_used(against):
    loose = [{**GATES[0], "effect": 0.9}, GATES[1]]
    done, document = against(body("1.5"), candidate_scenario=gated(gates=loose))
    assert done.returncode == 1, done.stderr + done.stdout
    assert row(document)["verdict"] == "regressed"
    assert row(document)["preset"] == {"floor": 0.03, "margin": 0.05, "from": "declared"}
    assert "the baseline declares an effect of 3 %, the candidate an effect of 90 %" in done.stdout


def test_both_bounds_are_stated_wherever_one_is(against, tmp_path):
    done, document = against(None, None, "--rounds", "4", "--markdown", tmp_path / "m.md")
    assert done.returncode == 0, done.stderr
    bound = document["gate"]["false_alarm_bound"]
    # One time: stage 1 crosses 15 of 16 with 5 of 1296 (one look after 4 rounds), stage 2 with at most 5 %.
    assert 0.85 * 0.05 * 5 / 1296 < bound["regressed"] <= 0.05 * 5 / 1296
    assert bound["regressed_or_improved"] == pytest.approx(2 * bound["regressed"])
    for text in (done.stdout, (tmp_path / "m.md").read_text()):
        said = re.search(r"at most (\S+) % of gates like this one say regressed, and at most (\S+) % say regressed or improved", text)
        assert [float(share) / 100 for share in said.groups()] == pytest.approx([bound["regressed"], bound["regressed_or_improved"]], rel=0.01)


def test_a_sarif_result_points_to_the_line_that_declares_the_benchmark(against, tmp_path):
    known = [{**GATES[0], "declared_at": {"file": "toys/a toy.cpp", "line": 7}}, GATES[1]]
    against(body("1.5", kernels=13), None, "--sarif", tmp_path / "s.sarif", candidate_scenario=gated(gates=known))
    places = [r["locations"][0]["physicalLocation"] for r in valid_sarif(tmp_path / "s.sarif")["results"]]
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [("toys/a%20toy.cpp", 7), ("scenarios/toy/README.md", 1)]


def test_every_gate_of_this_program_says_where_it_is_declared():
    catalogue = json.loads(assay("cases", env={"ASSAY_SELFTEST": "1"}).stdout)
    gates = [gate for scenario in catalogue["scenarios"] for gate in scenario["gates"]]
    assert len(gates) > 30
    for gate in gates:
        at = gate["declared_at"]
        assert ".gate" in (ROOT / at["file"]).read_text().splitlines()[at["line"] - 1]
    for scenario in catalogue["scenarios"]:
        assert (ROOT / "scenarios" / scenario["name"] / "README.md").exists()


def test_a_gate_is_not_resumed_as_a_run(against, tmp_path):
    done, document = against()
    assert done.returncode == 0, done.stderr
    records = tmp_path / "run/records.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join(lines[:8]))
    for command in ("run", "ablate"):
        again = assay(command, "--resume", tmp_path / "run")
        assert again.returncode == 2, again.stderr
        assert "of a gate, which cannot be resumed" in again.stderr
    assert records.read_text() == "".join(lines[:8])


def test_a_budget_that_ends_too_early_is_undecided(against):
    slow_start = "time.sleep(0.15)\n"
    arguments = ("--budget", "1.5s")
    done, document = against(body("1.1", before=slow_start), body(before=slow_start), *arguments)
    assert done.returncode == 0, done.stderr + done.stdout
    assert row(document)["verdict"] == "undecided"
    assert "the budget ended after" in row(document)["reason"]
    assert 1 <= row(document)["rounds"]["stage_1"] < 4


def test_fail_on_undecided(against, tmp_path):
    slow_start = "time.sleep(0.15)\n"
    done, _ = against(body(before=slow_start), body(before=slow_start), "--budget", "1.5s", "--fail-on", "undecided", "--junit", tmp_path / "j.xml")
    assert done.returncode == 1, done.stderr + done.stdout
    assert "is undecided, and --fail-on undecided was asked" in done.stdout
    assert "failure" in [c["tag"] for case in valid_junit(tmp_path / "j.xml")["children"] for c in case["children"]]


def test_a_baseline_that_differs_from_its_copy_gives_no_verdict(against, tmp_path):
    gates = [{"configuration": f"toy.step{mode}", "metric": "step_time", "effect": 0.03} for mode in ("", "{mode=slow}")]
    off = body("1.2 if '/null/' in sys.argv[0] else 1.0")
    done, document = against(None, off, "--rounds", "8", "--junit", tmp_path / "j.xml", candidate_scenario=gated(gates=gates), baseline_scenario=gated(gates=gates))
    assert done.returncode == 5, done.stderr + done.stdout
    assert document["gate"]["null_control"]["alarm"] is True
    assert {r["verdict"] for r in document["gate"]["benchmarks"]} == {"invalid"}
    assert valid_junit(tmp_path / "j.xml")["attributes"]["errors"] == "3"


def test_the_order_is_drawn_from_a_recorded_seed(against, tmp_path):
    done, document = against(None, None, "--order-seed", "7", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == document
    assert document["gate"]["order_seed"] == 7
    orders = [tuple(p["program"] for p in document["processes"] if p["round"] == r and p["used"]) for r in (1, 2, 3, 4)]
    assert all(sorted(order) == ["baseline", "candidate", "candidate", "null"] for order in orders)
    assert len(set(orders)) > 1


def test_a_name_that_a_program_made_up_stays_harmless(against, tmp_path):
    """What a program says goes into XML, JSON and Markdown: markup, control characters and bad UTF-8 must not break them."""
    evil = "event(event='finish', status='failed', reason='<b>|\\x01\\ufffe\\uffff]]>&\\n`\\ud800'.encode('utf-8', 'replace').decode(), peak_bytes=1); sys.exit(1)\n"
    done, _ = against(evil, None, "--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.sarif", "--markdown", tmp_path / "m.md")
    assert done.returncode == 3, done.stderr + done.stdout
    valid_junit(tmp_path / "j.xml")
    valid_sarif(tmp_path / "s.sarif")
    assert "<b>" not in (tmp_path / "m.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ([], "one of --against"),
        (["--self", "--against", "HEAD"], "--against"),
        (["--self", "--floor", "0"], "--floor"),
        (["--self", "--floor", "150%"], "--floor"),
        (["--self", "--floor", "5%", "--margin", "2%"], "--margin"),
        (["--self", "--budget", "soon"], "'soon'"),
        (["--self", "--budget", "0s"], "'0s'"),
        (["--self", "--budget", "2 weeks"], "'2 weeks'"),
        (["--self", "--fail-on", "everything"], "--fail-on"),
        (["--self", "--rounds", "3"], "--rounds"),
        (["--self", "--junit", "/nowhere/at/all.xml"], "/nowhere/at/all.xml"),
        (["--self", "tracig"], "did you mean 'tracing'?"),
        (["--self", "--inject", "nonsense"], "--inject"),
    ],
)
def test_wrong_words(arguments, meant, tmp_path):
    done = gate(*arguments, "--out", tmp_path / "run")
    assert done.returncode == 2, done.stderr
    assert meant in done.stderr
    assert not (tmp_path / "run").exists()

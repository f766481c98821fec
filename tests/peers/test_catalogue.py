"""The peers' catalogues agree with assay's, so that an id means the same in every program."""

import json

import pytest
from program import ROOT, assay

from peers.catalogue import PEERS, PROCESSES, SECONDS_A_PROCESS, catalogue
from peers.install import pinned_version, requirements


@pytest.fixture(scope="module")
def own():
    done = assay("cases")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PEERS)
def test_every_case_is_one_of_assays(name, own):
    cases = {c["name"]: c for s in own["scenarios"] for c in s["cases"]}
    groups = {c.split("{")[0]: g["name"] for s in own["scenarios"] for g in s["groups"] for c in g["configurations"]}
    for scenario in catalogue(name, "1")["scenarios"]:
        for case in scenario["cases"]:
            theirs = cases[case["name"]]
            assert case["kind"] == theirs["kind"]
            assert {m["name"] for m in case["metrics"]} - {"call_overhead"} <= {m["name"] for m in theirs["metrics"]}
            own_parameters = {p["name"]: p for p in theirs["parameters"]}
            for parameter in case["parameters"]:
                if parameter in PEERS[name].parameters:
                    continue
                assert set(parameter["values"]) <= set(own_parameters[parameter["name"]]["values"])
                assert parameter["default"] == own_parameters[parameter["name"]]["default"]
        for group in scenario["groups"]:
            for configuration in group["configurations"]:
                case = configuration.split("{")[0]
                assert group["name"] == groups.get(case, case)


@pytest.mark.parametrize("name", PEERS)
def test_what_a_case_needs_is_offered_by_it_or_by_assay(name, own):
    known = {c["name"] for s in own["scenarios"] for c in s["cases"]}
    for scenario in catalogue(name, "1")["scenarios"]:
        for case in scenario["cases"]:
            assert {need["from"].split("{")[0] for need in case["needs"]} <= known


@pytest.mark.parametrize("name", PEERS)
def test_every_package_is_pinned(name):
    lines = [line for line in requirements(name).read_text().splitlines() if line and not line.startswith("#")]
    assert lines
    assert all("==" in line for line in lines)
    assert pinned_version(name)[0].isdigit()
    assert (ROOT / "peers" / name / "program").stat().st_mode & 0o111


def test_tensorflows_switch_is_set_before_its_start_and_tells_columns_apart():
    offered = catalogue("tensorflow", "1")
    assert offered["program"]["columns"] == ["onednn"]
    for scenario in offered["scenarios"]:
        for case in scenario["cases"]:
            (switch,) = [p for p in case["parameters"] if p["name"] == "onednn"]
            assert switch["stands_for"]["off"]["environment"] == {"TF_ENABLE_ONEDNN_OPTS": "0"}
            assert switch["stands_for"]["on"]["environment"] == {"TF_ENABLE_ONEDNN_OPTS": "1"}


def test_section_2_beside_all_peers_stays_below_half_an_hour(own):
    """Adds up the budgets. Weights and answers come from `models`."""
    seconds = sum(s["budget_s"]["standard"] for s in own["scenarios"] if s["name"] in ("tracing", "models"))
    for name in PEERS:
        seconds += sum(s["budget_s"]["standard"] for s in catalogue(name, "1")["scenarios"] if s["name"] == "tracing")
    assert seconds < 30 * 60


def test_each_column_of_a_peer_chooses_its_threads_and_uses_its_own_choice():
    for name in PEERS:
        (models,) = [s for s in catalogue(name, "1")["scenarios"] if s["name"] == "models"]
        cases = {case["name"]: case for case in models["cases"]}
        assert cases["models.threads"]["kind"] == "exact"
        for case in set(cases) - {"models.threads"}:
            needs = {n["artifact"]: n["from"] for n in cases[case]["needs"] if n["artifact"].startswith("threads")}
            columns = {"tensorflow": {"threads_off": "models.threads{onednn=off}", "threads_on": "models.threads{onednn=on}"}}
            assert needs == columns.get(name, {"threads": "models.threads"})


def test_a_budget_counts_the_processes_of_each_kind(own):
    profiles = {p["name"]: p for p in own["profiles"]}
    assert profiles.keys() == PROCESSES.keys()
    for name, counts in PROCESSES.items():
        assert counts == {"timed": profiles[name]["rounds"], "trained": profiles[name]["seeds"], "exact": 1}
    # 2 modes, 2 ways and 2 batches are timed, the mean of metrics and the cost of a trace run once
    (tracing,) = [s for s in catalogue("jax", "1")["scenarios"] if s["name"] == "tracing"]
    assert tracing["budget_s"]["standard"] == SECONDS_A_PROCESS * (6 * 10 + 2)

"""Several programs in one run, interleaved in the same rounds: an invented peer beside an invented candidate."""

import json
import shutil
import stat
import sys

import jsonschema
import pytest
from program import ROOT, TOY, TOY_BODY, assay, toy_catalogue

# A peer twice as slow as the toy; 40 of its 200 ns are call overhead.
PEER_BODY = """
event(event="samples", metric="step_time", unit="ns", better="lower", values=[200.0, 202.0, 204.0], warmup=1)
event(event="samples", metric="call_overhead", unit="ns", better="lower", values=[40.0, 40.4, 40.8], warmup=1)
event(event="check", name="loss equals the candidate's", passed=True, measured=0.0, limit=1e-5)
finish()
"""
SWITCH = {
    "name": "switch",
    "values": ["on", "off"],
    "default": "on",
    "stands_for": {"off": {"off": [], "environment": {"PEER_SWITCH": "0"}}},
}


def write(path, catalogue, body):
    path.write_text(TOY.format(python=sys.executable, catalogue=repr(catalogue), body=body))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def peer_catalogue(columns=()):
    catalogue = toy_catalogue(comparisons=[])
    catalogue["program"].update(name="peer", columns=list(columns))
    return catalogue


@pytest.fixture
def measure(tmp_path, toy, schema):
    """Runs the toy and a peer together and returns the document."""

    def run(body=PEER_BODY, catalogue=None, expect=0):
        peer = write(tmp_path / "peer", catalogue or peer_catalogue(), body)
        folder = tmp_path / "run"
        done = assay("run", "--program", toy(), "--program", peer, "--profile", "quick", "--out", folder, "--no-report")
        assert done.returncode == expect, done.stderr
        document = json.loads((folder / "run.json").read_text())
        jsonschema.validate(document, schema)
        return document

    return run


def test_both_programs_share_every_round_and_the_ratio_is_formed_inside_it(measure):
    document = measure()
    for number in range(1, 7):
        together = [p for p in document["processes"] if p["round"] == number]
        assert {(p["program"], p["configuration"]) for p in together} == {
            (program, configuration)
            for program in ("toy", "peer")
            for configuration in ("toy.step", "toy.step{mode=slow}")
        }
        assert sorted(p["order"] for p in together) == [0, 1, 2, 3]
    orders = {tuple(p["program"] for p in document["processes"] if p["round"] == number) for number in range(1, 7)}
    assert len(orders) > 1, "the order is drawn anew for each round"
    rows = {row["configuration"]: row for row in document["against"]}
    assert set(rows) == {"toy.step", "toy.step{mode=slow}"}
    row = rows["toy.step"]
    assert (row["program"], row["peer"], row["verdict"]) == ("toy", "peer", "improved")
    assert row["estimate"] == pytest.approx(101 / 202)
    assert row["call_overhead"] == pytest.approx(40.4)
    assert row["without_call_overhead"]["estimate"] == pytest.approx(101 / (202 - 40.4))
    # Of the candidate's own comparison every program that offers both sides gets a row; own against peer tests no claim.
    assert {c["program"]: c["estimate"] for c in document["comparisons"]} == {
        "toy": pytest.approx(1.5),
        "peer": pytest.approx(1),
    }


def test_every_program_is_asked_for_the_same_repetitions_and_none_has_a_time_budget(tmp_path, toy):
    """A peer that takes long to start would lose repetitions to a budget."""
    told = 'event(event="choice", name="options", value=options)\n'
    peer = write(tmp_path / "peer", peer_catalogue(), told + PEER_BODY)
    folder = tmp_path / "run"
    done = assay(
        "run", "--program", toy(body=told + TOY_BODY), "--program", peer, "--profile", "quick", "--out", folder, "--no-report"
    )
    assert done.returncode == 0, done.stderr
    processes = json.loads((folder / "run.json").read_text())["processes"]
    options = [e["value"] for p in processes for e in p["events"] if e["event"] == "choice"]
    assert len(options) == len(processes) == 24
    assert {one["--repetitions"][0] for one in options} == {"3"}
    assert not [name for one in options for name in one if "budget" in name]


def test_a_parameter_of_the_peer_makes_two_columns_of_it(measure):
    catalogue = peer_catalogue(columns=["switch"])
    catalogue["scenarios"][0]["cases"][0]["parameters"].append(SWITCH)
    both = [f"toy.step{{mode={mode},switch={switch}}}" for mode in ("fast", "slow") for switch in ("on", "off")]
    catalogue["scenarios"][0]["groups"][0]["configurations"] = both
    body = """
fast = os.environ.get("PEER_SWITCH") == "0"
event(event="samples", metric="step_time", unit="ns", better="lower", values=[400.0 if values.get("mode") == "slow" else 50.0 if fast else 200.0], warmup=1)
finish()
"""
    document = measure(body, catalogue)
    assert [p["name"] for p in document["programs"]] == ["toy", "peer{switch=on}", "peer{switch=off}"]
    ratios = {(r["peer"], r["configuration"]): r["estimate"] for r in document["against"]}
    assert ratios[("peer{switch=off}", "toy.step")] == pytest.approx(101 / 50)
    assert ratios[("peer{switch=on}", "toy.step")] == pytest.approx(101 / 200)
    own = {c["program"]: c["estimate"] for c in document["comparisons"]}
    assert own == {"toy": pytest.approx(1.5), "peer{switch=on}": pytest.approx(2), "peer{switch=off}": pytest.approx(8)}


def test_a_peer_whose_answers_differ_shows_no_ratio(measure):
    document = measure(PEER_BODY.replace("passed=True, measured=0.0", "passed=False, measured=0.25"), expect=3)
    for row in document["against"]:
        assert row["verdict"] == "invalid"
        assert row["estimate"] is None
        assert row["without_call_overhead"] is None
        assert row["reason"].startswith(
            f'peer:{row["configuration"]}: check "loss equals the candidate\'s" failed: 0.25'
        )


def test_a_peer_that_is_not_installed_is_a_skipped_row_and_the_run_goes_on(measure):
    reason = "Peer is not installed; this line installs it: ./assay peers install peer"
    document = measure(f"finish('skipped', {reason!r})")
    assert [row["reason"] for row in document["skipped"]] == [reason, reason]
    assert len([p for p in document["processes"] if p["program"] == "peer"]) == 2, "skipped once, not in every round"
    assert [row["reason"] for row in document["against"]] == [
        f"peer:{configuration} was skipped: {reason}" for configuration in ("toy.step", "toy.step{mode=slow}")
    ]
    assert [c["estimate"] for c in document["comparisons"] if c["program"] == "toy"] == [pytest.approx(1.5)]


def test_a_peer_that_fails_is_named_and_has_no_row_of_counts(tmp_path, toy):
    catalogue = toy_catalogue()
    catalogue["scenarios"][0]["cases"][0]["metrics"].append({"name": "kernels", "unit": "kernels", "better": "lower", "exact": True})
    counted = "event(event='value', metric='kernels', unit='kernels', better='lower', value=18.0)\n"
    own = write(tmp_path / "own", catalogue, counted + TOY_BODY)
    peer = write(tmp_path / "peer", peer_catalogue(), "os.kill(os.getpid(), 11)")
    folder = tmp_path / "run"
    done = assay("run", "--program", own, "--program", peer, "--profile", "quick", "--out", folder, "--no-report")
    assert done.returncode == 3
    assert "assay: failed: peer:toy.step: it was ended by signal 11" in done.stderr
    document = json.loads((folder / "run.json").read_text())
    assert {(row["configuration"], row["metric"]) for row in document["against"]} == {
        ("toy.step", "step_time"),
        ("toy.step{mode=slow}", "step_time"),
    }


def test_a_run_of_several_programs_ends_with_their_ratios_also_when_resumed(tmp_path, toy, measure):
    document = measure()
    folder = tmp_path / "run"
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[: len(lines) // 2]))
    (folder / "run.json").unlink()
    done = assay("run", "--resume", folder, "--no-report")
    assert done.returncode == 0, done.stderr
    assert "What toy took over what each peer took, in the same rounds" in done.stdout
    assert len(json.loads((folder / "run.json").read_text())["against"]) == len(document["against"])


def test_a_program_without_profiles_is_measured_only_beside_another(tmp_path):
    catalogue = peer_catalogue()
    catalogue["profiles"] = []
    peer = write(tmp_path / "peer", catalogue, PEER_BODY)
    for command in (["run", "toy"], ["explain", "toy.step"]):
        done = assay(*command, "--program", peer)
        assert done.returncode == 2
        assert "declares no profile" in done.stderr
        assert "named first" in done.stderr


def test_a_peer_gets_what_the_candidate_made(tmp_path, schema):
    """The weights are an artifact of the first program; the peer offers no case that makes them."""
    weights = {
        "name": "toy.weights",
        "kind": "exact",
        "parameters": [],
        "metrics": [],
        "needs": [],
        "env": {},
        "launch": [],
    }
    candidate, peer = toy_catalogue(), peer_catalogue()
    candidate["scenarios"][0]["cases"].append(weights)
    peer["scenarios"][0]["cases"][0]["needs"] = [{"artifact": "weights", "from": "toy.weights", "same_seed": False}]
    made = """
if name == "toy.weights":
    import hashlib
    open(options["--out"][0] + "/w.bin", "w").write("the weights")
    event(event="artifact", name="weights", path="w.bin", sha256=hashlib.sha256(b"the weights").hexdigest(), format="raw")
    finish()
    sys.exit(0)
"""
    got = """
path = dict(a.split("=", 1) for a in options["--artifact"])["weights"]
event(event="check", name="the weights are the candidate's", passed=open(path).read() == "the weights", measured=0.0, limit=1.0)
"""
    programs = [write(tmp_path / "toy", candidate, made + TOY_BODY), write(tmp_path / "peer", peer, got + PEER_BODY)]
    folder = tmp_path / "run"
    done = assay(
        "run", "--program", programs[0], "--program", programs[1], "--profile", "quick", "--out", folder, "--no-report"
    )
    assert done.returncode == 0, done.stderr
    document = json.loads((folder / "run.json").read_text())
    checks = [e for p in document["processes"] if p["program"] == "peer" for e in p["events"] if e["event"] == "check"]
    assert {c["name"] for c in checks} == {"the weights are the candidate's", "loss equals the candidate's"}
    assert all(c["passed"] for c in checks)


@pytest.fixture
def home(tmp_path):
    """A project's folder with one peer, `invented`, that speaks for models.step alone."""
    folder = tmp_path / "home"
    (folder / "peers/invented").mkdir(parents=True)
    for name in ("results", "data"):
        (folder / name).symlink_to(ROOT / name)
    catalogue = peer_catalogue()
    catalogue["program"]["name"] = "invented"
    catalogue["profiles"] = []
    scenario = catalogue["scenarios"][0]
    scenario["name"] = "models"
    scenario["cases"][0].update(name="models.step", parameters=[])
    scenario["groups"] = [{"name": "models.step", "configurations": ["models.step"]}]
    # A second a step: far above whatever the machine does.
    write(folder / "peers/invented/program", catalogue, PEER_BODY.replace("20", "1000000000"))
    return folder


def test_reproduce_prints_the_peer_beside_the_engine(home, tmp_path):
    folder = tmp_path / "run"
    done = assay(
        "reproduce",
        "--peer",
        "invented",
        "models",
        "--profile",
        "quick",
        "--out",
        folder,
        "--no-report",
        env={"ASSAY_HOME": str(home)},
    )
    assert done.returncode == 0, done.stderr
    document = json.loads((folder / "run.json").read_text())
    (row,) = document["against"]
    assert (row["configuration"], row["peer"]) == ("models.step", "invented")
    if document["state"]["fit"]:
        assert row["verdict"] == "improved"
        assert "What assay took over what each peer took" in done.stdout
        assert "invented  " in done.stdout
        assert "its overhead of" in done.stdout


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--peer", "invemted"], "unknown peer 'invemted'; did you mean 'invented'?"),
        (["tracng"], "unknown section 'tracng'; did you mean 'tracing'?"),
        (["quantization"], "unknown section 'quantization'; there are: 1 2 5 10 models pipeline precision tracing"),
        (["3"], "no scenario tests section 3 yet; there are: 1 2 5 10 models"),
        (["99"], "unknown section '99'; there are: 1 2 5 10 models"),
        (["--profile", "quik"], "unknown profile 'quik'; did you mean 'quick'?"),
        (["models", "--off", "engine.onedn"], "unknown control 'engine.onedn'; did you mean 'engine.onednn'?"),
    ],
)
def test_reproduce_names_the_nearest_right_one(arguments, says, home):
    done = assay("reproduce", *arguments, env={"ASSAY_HOME": str(home)})
    assert done.returncode == 2
    assert says in done.stderr


def test_a_peer_of_ours_without_its_environment_says_what_installs_it(tmp_path):
    shutil.copytree(ROOT / "peers", tmp_path / "peers")
    import subprocess

    command = [tmp_path / "peers/jax/program", "case", "models.step", "--set", "model=convnet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [e["event"] for e in events] == ["start", "finish"]
    assert events[1]["status"] == "skipped"
    assert events[1]["reason"] == "JAX is not installed; this line installs it: ./assay peers install jax"

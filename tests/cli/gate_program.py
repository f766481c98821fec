"""Toy programs for the gate: one that reports a time and a count of the test's choice, and what the gate writes, parsed."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import xmlschema
from program import ROOT, assay, toy_catalogue

SCHEMAS = Path(__file__).parents[1] / "schemas"
JUNIT = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
SARIF = jsonschema.Draft4Validator(json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text()))
METRICS = [{"name": "step_time", "unit": "ns", "better": "lower"}, {"name": "kernels", "unit": "kernels", "better": "lower"}]
GATES = [
    {"configuration": "toy.step", "metric": "step_time", "effect": 0.03},
    {"configuration": "toy.step", "metric": "kernels", "effect": None},
]

# The time scatters by 1 %, drawn anew in every process; FACTOR is what a test changes.
BODY = """
import random
factor = FACTOR
time_ns = 100.0 * factor * (1 + random.Random(os.getpid() ^ time.time_ns()).uniform(-0.01, 0.01))
event(event="samples", metric="step_time", unit="ns", better="lower", values=[time_ns] * 3, warmup=1)
event(event="value", metric="kernels", unit="kernels", better="lower", value=KERNELS)
event(event="check", name="answer", passed=CORRECT, measured=0.0 if CORRECT else 0.5, limit=1e-6)
finish()
"""


def body(factor="1.0", kernels=12, correct=True, before=""):
    return before + BODY.replace("FACTOR", factor).replace("KERNELS", str(kernels)).replace("CORRECT", str(correct))


def gated(gates=GATES, **changes):
    """The toy's scenario with what the gate watches."""
    scenario = toy_catalogue()["scenarios"][0]
    scenario["cases"][0]["metrics"] = METRICS
    return {"cases": scenario["cases"], "gates": gates, **changes}


def gate(*arguments, **options):
    return assay("gate", "--threads", "1", *arguments, **options)


def document_of(folder):
    document = json.loads((folder / "run.json").read_text())
    schema = json.loads((ROOT / "results/schema/run-1.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


def row(document, metric="step_time"):
    return next(r for r in document["gate"]["benchmarks"] if r["metric"] == metric)


def tree(element):
    return {
        "tag": element.tag,
        "attributes": dict(element.attrib),
        "text": (element.text or "").strip(),
        "children": [tree(child) for child in element],
    }


def valid_junit(path):
    JUNIT.validate(path)
    (suite,) = tree(ElementTree.parse(path).getroot())["children"]
    outcomes = [child["tag"] for case in suite["children"] for child in case["children"]]
    assert suite["attributes"]["tests"] == str(len(suite["children"]))
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert suite["attributes"][name] == str(outcomes.count(tag))
    return suite


def valid_sarif(path):
    document = json.loads(path.read_text())
    SARIF.validate(document)
    (run,) = document["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        # What GitHub's code scanning asks for beyond the schema: a file and its line.
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert Path(place["artifactLocation"]["uri"]).suffix
        assert place["region"]["startLine"] >= 1
    return run

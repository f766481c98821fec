"""How long the whole suite may take: every scenario says its share in every profile, and the shares add up."""

import json

from program import assay

MOST_S = {"quick": 5 * 60, "standard": 20 * 60}  # the whole suite, on 2 cores; full has no bound


def test_the_scenarios_budgets_add_up():
    catalogue = json.loads(assay("list", "--json").stdout)
    profiles = {profile["name"] for profile in catalogue["profiles"]}
    assert set(MOST_S) < profiles
    for scenario in catalogue["scenarios"]:
        assert set(scenario["budget_s"]) == profiles, scenario["name"]
        assert min(scenario["budget_s"].values()) > 0, scenario["name"]
    for profile, most in MOST_S.items():
        assert sum(scenario["budget_s"][profile] for scenario in catalogue["scenarios"]) <= most, profile

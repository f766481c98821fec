"""What switching each control did, read from the comparisons of a run document."""

from dataclasses import dataclass, field

from plots.document import Configuration, Run


@dataclass
class Control:
    name: str
    off: dict | None = None  # the comparison of it alone off against everything on
    on: dict | None = None  # of it alone on against what it needs alone
    needs: tuple[str, ...] = ()


@dataclass
class Ablation:
    """One metric of one configuration in one program."""

    configuration: str
    program: str
    metric: str
    everything: dict | None = None  # the comparison of all off against all on
    controls: dict[str, Control] = field(default_factory=dict)

    def of(self, name: str) -> Control:
        return self.controls.setdefault(name, Control(name))


def ablations(run: Run, scenario: str) -> list[Ablation]:
    """In the order of the comparisons. Empty where the run was no ablation."""
    found: dict[tuple[str, str, str], Ablation] = {}
    for comparison in run.comparisons(scenario):
        switch = _switch(comparison)
        if switch:
            configuration, off, before, on = switch
            key = (configuration, comparison["program"], comparison["metric"])
            one = found.setdefault(key, Ablation(*key))
            if off == "all":
                one.everything = comparison
            elif off:
                one.of(off).off = comparison
            else:
                control = one.of(next(name for name in on if name not in before))
                control.on, control.needs = comparison, before
    return list(found.values())


def is_ablation(comparison: dict) -> bool:
    return _switch(comparison) is not None


def _switch(comparison: dict) -> tuple[str, str, tuple[str, ...], tuple[str, ...]] | None:
    """(configuration without keys, what is off, what was on before, what is on)."""
    before, after = (Configuration(comparison[side]) for side in ("baseline", "candidate"))
    plain, switched = (_without_switches(one) for one in (before, after))
    from_all_on = not {"off", "on"} & set(before.values)
    if plain != switched or not ("on" in after.values or (from_all_on and "off" in after.values)):
        return None
    on = [tuple(one.values["on"].split("+")) if "on" in one.values else () for one in (before, after)]
    if "on" in after.values and not set(on[1]) - set(on[0]):
        return None
    return plain, after.values.get("off", ""), *on


def _without_switches(one: Configuration) -> str:
    values = [f"{key}={value}" for key, value in one.values.items() if key not in ("off", "on")]
    return one.case + ("{" + ",".join(values) + "}" if values else "")


def worth(comparison: dict) -> str:
    """Whether what was switched helps, in the words of the terminal's table."""
    off = "on" not in Configuration(comparison["candidate"]).values
    words = {"same": "no difference", "regressed": "helps" if off else "hurts", "improved": "hurts" if off else "helps"}
    return words.get(comparison["verdict"], comparison["verdict"])

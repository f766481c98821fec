"""The data pipeline: options one added to the other, and what the cost of the map changes."""

from plots.scenario_report import ScenarioReport

REPORT = ScenarioReport(
    title="Data pipeline",
    defaults={
        "options": "map",
        "rewrites": "on",
        "batch": "64",
        "calls": "automatic",
        "depth": "automatic",
        "map": "published",
        "prefetch": "off",
        "way": "rows",
        "order": "kept",
        "feed": "memory",
    },
    names={
        "epoch_time": "time of an epoch",
        "row_time": "time of a row",
        "element_time": "time of an element",
        "supplied_share": "share that the rewrites supplied",
        "speed_up_by_rewrites": "speed-up by the rewrites alone",
        "speed_up_in_all": "speed-up with a parallel map as well",
        "waiting_share": "share of the epoch spent waiting",
        "waiting by cost": "share of the epoch spent waiting",
        "speed-up of a parallel map": "sequential / parallel",
    },
    captions={
        "epoch_time": "One epoch. In the table of options each is added to the one before: map and batch, a parallel map, prefetch, "
        "a cache on its second pass.",
        "supplied_share": "How much of the logarithm of the whole speed-up the automatic rewrites had already supplied, before a "
        "parallel map was asked for.",
        "row_time": "The time of an epoch divided by its rows.",
        "element_time": "A map that does nothing and a batch, on scalars: what the pipeline itself costs.",
        "waiting_share": "A step of 3 ms after every batch. “tensorflow” is a map as costly, beside the step, as TensorFlow's.",
        "waiting by cost": "What a prefetch hides depends on the cost of the map: nothing where there is nothing to hide, most where map "
        "and step take as long, little where the map takes much longer. One process.",
        "speed-up of a parallel map": "Below 1 the threads cost more than they give. One process.",
        "effective_parallelism": "Calls of the map that ran at once on average, of 4: elements of 1 ms, every eighth of 20 ms.",
    },
    first=("epoch_time", "supplied_share", "waiting_share", "waiting by cost", "speed-up of a parallel map", "row_time"),
    notes=(
        "First batch, first epoch and steady epoch stand apart in the table “Measured once”; so does the cache's second pass beside the "
        "copy that it is made of.",
    ),
)

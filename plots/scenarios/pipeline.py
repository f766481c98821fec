"""The data pipeline: its options, each added to the one before, and the influence of the map's cost."""

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
        "epoch_time": "The time of one epoch. Each option is added to the one before: map and batch, a parallel map, prefetch, and a cache on its "
        "second pass.",
        "supplied_share": "The share of the whole speed-up, on a logarithmic scale, that the automatic rewrites supply before a parallel map is "
        "asked for.",
        "row_time": "The time of an epoch divided by its rows.",
        "element_time": "A map that does nothing and a batch, on scalars. This is what the pipeline itself costs.",
        "waiting_share": "A step of 3 ms follows every batch. The map “tensorflow” takes as large a share of the step as TensorFlow's map.",
        "waiting by cost": "What a prefetch hides depends on the cost of the map. It hides most where map and step take equally long, and little where "
        "the map takes much longer. Measured in one process.",
        "speed-up of a parallel map": "Below 1 the threads cost more than they save. Measured in one process.",
        "effective_parallelism": "The mean number of map calls that ran at once, of 4. An element takes 1 ms, and every eighth takes 20 ms.",
    },
    first=("epoch_time", "supplied_share", "waiting_share", "waiting by cost", "speed-up of a parallel map", "row_time"),
    notes=(
        "The table “Measured once” shows the first batch, the first epoch and a steady epoch separately. It also shows the second pass of "
        "the cache beside the copy that it consists of.",
    ),
)

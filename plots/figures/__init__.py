"""Figures by the kind of data they show: comparisons, values by configuration, series, noise."""

import os

# Before anything imports matplotlib, which refuses a backend that is not installed, such as that of a notebook.
os.environ["MPLBACKEND"] = "Agg"

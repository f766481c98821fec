"""Figures by the kind of data they show: comparisons, values by configuration, series, noise."""

"""Draws a run: reads run.json, writes pages, tables and figures. Meets the rest of the project only through it."""

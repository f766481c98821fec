"""The cases, once for all peers: the protocols of assay's scenarios in terms of a framework (peers/interface.py)."""

from peers.cases import models, pipeline, precision, tracing

CASES = tracing.CASES | models.CASES | precision.CASES | pipeline.CASES

"""What documents show is what is: their examples are held to the code."""

import re

from program import ROOT


def test_files_that_tests_and_documents_name_exist():
    for path in [*ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("scenarios/*/README.md")]:
        for name in re.findall(r"\b(?:tests/[a-z_/]+/)?test_[a-z_]+\.py\b", path.read_text(encoding="utf-8")):
            assert list(ROOT.glob(f"tests/**/{name.rsplit('/', 1)[-1]}")), f"{path} names {name}"

"""Networks that Aleph exports answer in ONNX Runtime as they do in our executor.

    onnx_runtime_test.py TEST_NETS      the program of the tests in tests/nets

That program writes the networks and what they answer, as onnx_export_test.cpp says; onnx_check.mjs
compares. ONNX Runtime is where tools/fetch_onnxruntime.sh puts it; without it the test is skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def main(test_nets):
    if shutil.which("node") is None:
        skip("there is no node")
    modules = sorted(ROOT.glob("build/packages/onnxruntime-*/node_modules"))
    if not modules:
        skip("ONNX Runtime is not here (make setup-test fetches it)")
    with tempfile.TemporaryDirectory() as folder:
        exported = subprocess.run(
            [test_nets, "--source-file=*/nets/onnx_export_test.cpp", "--no-version"], cwd=ROOT,
            env=dict(os.environ, ALEPH_ONNX_CHECK=folder), check=False)
        if exported.returncode != 0:
            sys.exit(f"{test_nets} does not export the networks")
        compared = subprocess.run(["node", str(ROOT / "tests/nets/onnx_check.mjs"), folder],
                                  env=dict(os.environ, NODE_PATH=str(modules[-1])), check=False)
        sys.exit(compared.returncode)


if __name__ == "__main__":
    main(sys.argv[1])

"""The Makefile as test frameworks call it: make -j EXE=name CXX=compiler EVALFILE=/path."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXE = "build/make-door/engine"
# What is tested is the door. Optimising what is behind it takes minutes, and others test that.
PLAIN = ("TREE=build/make-door/tree", "OPTIONS=-DALEPH_LTO=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O0")


def make(*words):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CXX", "EXE", "EVALFILE")}
    return subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, env=environment,
                          capture_output=True, text=True, timeout=800, check=False)


class MakeDoor(unittest.TestCase):
    def test_the_engine_appears_where_it_was_asked_for(self):
        engine = ROOT / EXE
        engine.unlink(missing_ok=True)
        result = make("-j", f"EXE={EXE}", "CXX=g++", *PLAIN)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        version = subprocess.run([engine, "--version"], capture_output=True, text=True, check=True)
        self.assertIn("compiler: g++", version.stdout)
        libraries = subprocess.run(["ldd", engine], capture_output=True, text=True, check=True)
        self.assertNotIn("libfmt", libraries.stdout, "an engine must run without our packages")
        self.plays_where_there_is_no_network(engine)

    def plays_where_there_is_no_network(self, engine):
        with tempfile.TemporaryDirectory() as home:
            bare = {"PATH": os.environ["PATH"], "HOME": home}
            talk = subprocess.run([engine], input="go nodes 500\nwait\nquit\n", env=bare, text=True,
                                  capture_output=True, timeout=100, check=True)
        (network,) = (ROOT / "nets").glob("nn-*.nnue")
        self.assertIn(f"{network.name} from the program itself", talk.stdout)
        self.assertRegex(talk.stdout, "(?m)^bestmove [a-h]")

    def test_a_network_that_is_not_there_is_refused(self):
        result = make(f"EXE={EXE}", "CXX=g++", *PLAIN, "EVALFILE=/no/such/network.nnue")
        self.assertNotEqual(result.returncode, 0)
        message = re.sub(r"\s+", " ", result.stderr)
        self.assertIn("EVALFILE names a file that does not exist: /no/such/network.nnue", message)

    def test_help_lists_the_targets(self):
        text = make("help").stdout
        for target in ("engine", "run", "lab", "train", "setup", "test", "fuzz", "format", "clean"):
            self.assertRegex(text, rf"(?m)^  {target} +\w")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

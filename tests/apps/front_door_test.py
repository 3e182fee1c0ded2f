"""The programs as a user meets them: help, versions, unknown words, exit codes, hand-over.

    front_door_test.py FOLDER      where the programs are
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(sys.argv[1])
PROGRAMS = [path for path in (FOLDER / name for name in ("aleph", "aleph-lab", "aleph-train"))
            if path.exists()]


def run(program, *words, **options):
    return subprocess.run([str(program), *words], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, check=False, **options)


class FrontDoor(unittest.TestCase):
    def test_the_engine_was_built(self):
        self.assertTrue((FOLDER / "aleph").exists())

    def test_help_goes_to_stdout(self):
        for program in PROGRAMS:
            alone = [()] if program.name != "aleph" else []  # the engine alone speaks UCI
            for words in (*alone, ("help",), ("--help",), ("-h",)):
                with self.subTest(program=program.name, words=words):
                    result = run(program, *words)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertIn(f"Usage: {program.name} COMMAND", result.stdout)

    def test_version(self):
        for program in PROGRAMS:
            with self.subTest(program=program.name):
                result = run(program, "--version")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, rf"^{program.name} \d+\.\d+\.\d+ \(\S+\)\n")
                self.assertIn("compiler: ", result.stdout)

    def test_the_engine_says_what_it_runs_on(self):
        text = run(FOLDER / "aleph", "--version").stdout
        self.assertIn("\nprocessor: ", text)
        self.assertIn("\nslider attacks: ", text)

    def test_unknown_words_are_wrong_usage(self):
        for program in PROGRAMS:
            for words in (("castle",), ("help", "castle"), ("--castle",), ("",)):
                with self.subTest(program=program.name, words=words):
                    result = run(program, *words)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertTrue(result.stderr.startswith(
                        f"{program.name}: unknown command '{words[-1]}'. Commands:\n"))

    def test_an_unknown_word_cannot_break_the_terminal(self):
        result = run(FOLDER / "aleph", "\x1b[31m\n" + "x" * 1000)
        self.assertEqual(result.returncode, 2)
        self.assertIn("'\\x1B[31m\\x0A", result.stderr)
        self.assertLess(len(result.stderr.splitlines()[0]), 120)

    def test_every_command_explains_itself(self):
        for program in PROGRAMS:
            listed = run(program, "help").stdout.split("Commands:\n")[1].split("\n\n")[0].splitlines()
            for name in (line.split()[0] for line in listed):
                if name == "help":
                    continue
                with self.subTest(program=program.name, command=name):
                    result = run(program, name, "--help")
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertNotEqual(result.stdout, "")
                    self.assertEqual(run(program, "help", name).stdout, result.stdout)
                    self.assertEqual(run(program, name, "--no-such-option").returncode, 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([str(FOLDER / "aleph"), "help"], stdout=full, text=True,
                                    stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "aleph: cannot write to standard output\n")


class HandOver(unittest.TestCase):
    def test_a_program_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(FOLDER / "aleph", folder)
            for word, program, target in (("pgn", "aleph-lab", "lab"),
                                          ("train", "aleph-train", "train")):
                result = run(alone, word)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertEqual(result.stderr,
                                 f"aleph: '{word}' lives in {program}, which is not beside this "
                                 f"program; build it with: make {target}\n")

    def test_the_words_arrive_as_they_were(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(FOLDER / "aleph", folder)
            sibling = Path(folder) / "aleph-lab"
            sibling.write_text('#!/bin/sh\nprintf "[%s]" "$@"\nexit 7\n', encoding="utf-8")
            sibling.chmod(0o755)
            result = run(alone, "pgn", "two words", "--flag", "", cwd="/")
            self.assertEqual((result.returncode, result.stdout), (7, "[pgn][two words][--flag][]"))
            self.assertEqual(run(alone, "help", "pgn").stdout, "[pgn][--help]")

    @unittest.skipUnless((FOLDER / "aleph-train").exists(), "aleph-train is not built")
    def test_the_doctor_through_the_front_door(self):
        result = run(FOLDER / "aleph", "doctor")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"libtorch: \d+\.\d+")
        self.assertRegex(result.stdout, r"GFLOP/s")


class Libraries(unittest.TestCase):
    @unittest.skipUnless(shutil.which("ldd"), "no ldd")
    def test_the_engine_carries_no_heavy_library(self):
        text = run("ldd", str(FOLDER / "aleph")).stdout
        self.assertIn("libc.so", text)
        # Without the addresses, whose digits may spell anything.
        libraries = " ".join(line.split(" (")[0] for line in text.splitlines())
        for heavy in ("torch", "c10", "duckdb", "hdf5", "zstd", "blas"):
            self.assertNotIn(heavy, libraries)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

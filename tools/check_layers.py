#!/usr/bin/env python3
"""Proves that the #include lines of the tree obey the order of layers in cmake/layers.cmake.

    tools/check_layers.py [ROOT]     prints file:line for each violation; then exit code 1

The rules:
  1. cmake/layers.cmake names every folder of src/, and a layer uses only layers above it.
  2. A file in src/X includes only src/X and the layers that X uses, directly or through others.
  3. Only .cpp files of src/train include libtorch: not its headers, not programs, not tests.
  4. src/ includes nothing of apps/ or tests/.
  5. A "quoted" include names a file of this tree, from the root src/ (or apps/, tests/ in those).
"""

import re
import sys
from pathlib import Path

SOURCE_SUFFIXES = {".h", ".cpp", ".inc"}
LAYER = re.compile(r"^\s*aleph_layer\(\s*(\w+)(?:\s+USES\s+([\w\s]+?))?\s*\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH = re.compile(r"^(torch|ATen|c10|caffe2|c10d)/")


def read_layers(text):
    """The layers in order, each with all the folders it may include; and what is wrong there."""
    allowed, problems = {}, []
    for match in LAYER.finditer(text):
        name, uses = match.group(1), (match.group(2) or "").split()
        line = text.count("\n", 0, match.start(1)) + 1
        reach = {name}
        for other in uses:
            if other in allowed:
                reach |= allowed[other]
            else:
                problems.append((line, f"layer '{name}' uses '{other}', which is not above it"))
        allowed[name] = reach
    return allowed, problems


def include_lines(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def check_include(root, path, quoted, target, allowed):
    """The sentence for one #include line of path (relative to root), or None if it is in order."""
    area, first = path.parts[0], target.split("/")[0]
    layer = path.parts[1] if area == "src" and len(path.parts) > 2 else None
    if TORCH.match(target):
        if layer == "train" and path.suffix == ".cpp":
            return None
        return f"<{target}>: only .cpp files of src/train may include libtorch"
    if not quoted:
        if (root / "src" / target).is_file():
            return f"<{target}>: files of this tree are included with quotes"
        return None
    if ".." in target.split("/"):
        return f'"{target}": includes start at the root, not at ".."'
    if (root / "src" / target).is_file():
        if layer is None or first in allowed.get(layer, {layer}):
            return None
        return f'"{target}": src/{layer} may not include {first}'
    beside_or_own_area = [root / area / target, (root / path).parent / target]
    if area != "src" and any(file.is_file() for file in beside_or_own_area):
        return None
    if area == "tests" and (root / "apps" / target).is_file():
        return None
    if (root / "apps" / target).is_file() or (root / "tests" / target).is_file():
        return f'"{target}": src may not include apps or tests'
    return f'"{target}": there is no such file in this tree'


def check_tree(root):
    """All violations below root, as "file:line: sentence"."""
    layers_file = root / "cmake" / "layers.cmake"
    allowed, problems = read_layers(layers_file.read_text(encoding="utf-8"))
    found = [f"cmake/layers.cmake:{line}: {text}" for line, text in problems]
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and folder.name not in allowed:
            found.append(f"src/{folder.name}:1: not in cmake/layers.cmake")
    for area in ("src", "apps", "tests", "bench", "tools"):
        for path in sorted((root / area).rglob("*")):
            if path.suffix not in SOURCE_SUFFIXES or "node_modules" in path.parts:
                continue
            relative = path.relative_to(root)
            for line, quoted, target in include_lines(path):
                problem = check_include(root, relative, quoted, target, allowed)
                if problem:
                    found.append(f"{relative}:{line}: {problem}")
    return found


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations = check_tree(root)
    for violation in violations:
        print(violation)
    if violations:
        print(f"check_layers: {len(violations)} violations")
        return 1
    print("check_layers: all includes obey the order of layers")
    return 0


if __name__ == "__main__":
    sys.exit(main())

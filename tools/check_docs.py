#!/usr/bin/env python3
"""Fails where a link of a Markdown file leads nowhere, where a text names a page of docs/ that there is not, and where docs/ has
more or larger pictures than are kept: check_docs.py TREE."""

import pathlib
import re
import sys

MOST_PICTURES, MOST_BYTES = 40, 150_000
BUILT = ("build", "out", ".git", ".cache")  # what is not of the tree, by the folder that it is in
TEXTS = (".md", ".cpp", ".hpp", ".py", ".sh", ".cu", ".toml", ".txt", ".yml")
PICTURES = (".png", ".webp", ".gif", ".jpg", ".mp4")
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
PAGE = re.compile(r"(?<![\w/.-])docs/[\w./-]*\w\.(?:md|png|toml)\b")


def files_of(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.is_file() and not any(parts[0] == name or parts[0].startswith(f"{name}-") for name in BUILT):
            yield path


def without_code(text):
    """The text with its code blocks and code spans blanked, each line where it was."""
    lines, fence = [], ""
    for line in text.splitlines():
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().startswith(fence):
            fence, line = "", ""
        lines.append("" if fence or line.startswith("    ") else re.sub(r"`[^`]*`", "", line))
    return lines


def heading_ids(text):
    """The anchors that GitHub makes of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"^#+\s+(.*)$", text, re.M)}


def broken_link(page, target):
    """Why this link of the page leads nowhere; None where it does, or leads out of the tree."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    there = page.parent / path if path else page
    if not there.exists():
        return "leads to no file"
    if anchor and there.suffix == ".md" and anchor not in heading_ids(there.read_text()):
        return "leads to no heading"
    return None


def check_links(root, files):
    for page in (path for path in files if path.suffix == ".md"):
        for number, line in enumerate(without_code(page.read_text()), 1):
            for target in LINK.findall(line):
                why = broken_link(page, target)
                if why:
                    yield f"{page.relative_to(root)}:{number}: ({target}) {why}"


def check_names(root, files):
    """Sources, scripts and pages name the pages of docs/ by their path from the root."""
    for path in files:
        if path.suffix not in TEXTS or "testdata" in path.parts or path.name.endswith("_test.py"):
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for name in PAGE.findall(line):
                if not (root / name).exists() and "://" not in line:
                    yield f"{path.relative_to(root)}:{number}: there is no {name}"


def check_pictures(root, files):
    """Pictures that the program can draw again are drawn by tools/draw_pictures.sh, and not kept but for these."""
    pictures = [path for path in files if path.suffix in PICTURES and "testdata" not in path.parts]
    if len(pictures) > MOST_PICTURES:
        yield f"docs: {len(pictures)} pictures; {MOST_PICTURES} is the most"
    for path in pictures:
        size = path.stat().st_size
        if size > MOST_BYTES:
            yield f"{path.relative_to(root)}: {size} bytes; {MOST_BYTES} is the most"


def main():
    root = pathlib.Path(sys.argv[1])
    files = list(files_of(root))
    if not any(path.suffix == ".md" for path in files):
        sys.exit(f"no pages under {root}")
    complaints = [*check_links(root, files), *check_names(root, files), *check_pictures(root, files)]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{sum(path.suffix == '.md' for path in files)} pages checked")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Fails where shipping code finds out a fact by searching in a sentence: check_facts.py TREE. Facts travel as values
(Error::code, Verification::mistake, Warning::number, RuleId, ...), so that a sentence can be rewritten and no verdict changes.

A search is find, rfind, starts_with, ends_with, contains, == or != with a text of several words, or with any text in what is
a sentence by its name (message, explanation, fix, ...); and every regular expression. What may is in tools/facts.txt:
texts of others (the compiler's log, a kernel's source), and words that are laid out and not understood. A line there that
allows more than there is is a fault too."""

import pathlib
import re
import sys

LAYERS = ("engine", "viz", "app")

# What holds a sentence, by the last part of its name.
SENTENCES = (r"message|explanation|next_step|fix|what|why|why_not|warning|title|subtitle|headline|idea|sentence|reason|reasons|"
             r"description|words|said|because|caption|hint|note|notice|advice|question|answer")

CALL = re.compile(r"(?P<of>[A-Za-z_]\w*)(?:\(\))?(?:(?:\.|->)(?:front|back|value)\(\))?(?:\.|->)"
                  r"(?:find|rfind|starts_with|ends_with|contains)\(\s*(?:std::string(?:_view)?\(\s*)?(?P<text>\"(?:[^\"\\]|\\.)*\"|[A-Za-z_][\w.:>-]*)")
EQUAL = re.compile(r"(?P<of>[A-Za-z_]\w*)(?:\(\))?\s*[=!]=\s*(?P<text>\"(?:[^\"\\]|\\.)*\"|k[A-Z]\w*)")
CONSTANT = re.compile(r"\b(k[A-Z]\w*)(?:\[\])?\s*(?:=|\{)\s*(\"(?:[^\"\\]|\\.)*\")\s*[;,}]")
SEVERAL_WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]{2,}")


def is_test(path):
    return re.search(r"(_test|_benchmark|_fuzz)\.cpp$|/testing/|/testdata/", path) is not None


def without_comments(text):
    """The same number of lines, without // comments; quotes keep what is in them."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')|//[^\n]*', lambda m: m.group(1) or "", text)


def searches(text, constants):
    """(line, what is searched) of each search in a sentence, in the order of the text."""
    found = {}
    for pattern in (CALL, EQUAL):
        for match in pattern.finditer(text):
            of, words = match.group("of"), match.group("text")
            literal = words if words.startswith('"') else constants.get(words, "")
            in_sentence = re.fullmatch(SENTENCES, of) is not None and (pattern is CALL or len(literal) > 2)
            if in_sentence and words not in ("std", "nullptr") or SEVERAL_WORDS.search(literal):
                found[match.start()] = match.group(0).split("\n")[0]
    for match in re.finditer(r"\bstd::(?:basic_)?w?regex\b|<regex>", text):
        found[match.start()] = match.group(0)
    return [(text.count("\n", 0, at) + 1, found[at]) for at in sorted(found)]


def read_table(path):
    """{file: how many searches}"""
    lines = path.read_text().splitlines() if path.exists() else []
    return {line.split()[0]: int(line.split()[1]) for line in lines if line.strip() and not line.startswith("#")}


def complaints_of(root):
    paths = sorted(path for layer in LAYERS for path in (root / layer).rglob("*") if path.suffix in (".cpp", ".hpp"))
    sources = {str(path.relative_to(root)): without_comments(path.read_text()) for path in paths}
    sources = {name: text for name, text in sources.items() if not is_test(name)}
    shared = {}
    for name, text in sources.items():
        if name.endswith(".hpp"):
            shared.update(CONSTANT.findall(text))
    allowed = read_table(root / "tools" / "facts.txt")
    complaints = []
    for name in sorted(sources.keys() | allowed.keys()):
        text = sources.get(name, "")
        found = searches(text, shared | dict(CONSTANT.findall(text)))
        most = allowed.get(name, 0)
        if len(found) > most:
            complaints += [f"{name}:{line}: searches in a sentence: {what}" for line, what in found]
            complaints.append(f"{name}: {len(found)} searches in sentences; tools/facts.txt allows {most}: let a value say it")
        elif len(found) < most:
            complaints.append(f"{name}: {len(found)} searches in sentences; tools/facts.txt allows {most}: correct that")
    return len(sources), complaints


def main():
    count, complaints = complaints_of(pathlib.Path(sys.argv[1]))
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{count} sources checked")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

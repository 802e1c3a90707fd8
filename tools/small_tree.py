"""What a check of the tree says of a small one, for the checks' own tests."""

import pathlib
import subprocess
import sys
import tempfile
import unittest


def run(check, files, *options):
    """The check of a tree of these files, {path: text}, as it ended."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return subprocess.run([sys.executable, check, folder, *options], capture_output=True, text=True, check=False)


class Trees(unittest.TestCase):
    def said(self, check, files):
        """What it complains of; it fails where it does, and nowhere else."""
        done = run(check, files)
        self.assertEqual(done.returncode == 0, done.stderr == "", done.stderr)
        return done.stderr

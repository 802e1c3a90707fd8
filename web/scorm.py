#!/usr/bin/env python3
"""scorm.py SITE LESSON OUT.zip: one lesson of the folder that ./package --web makes, as a package of SCORM 1.2 for a course's server.
It has one unit, which reports score, progress and place."""
import os, re, sys, zipfile
from xml.sax.saxutils import escape

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="warplens_{name}" version="1.0" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="warplens"><organization identifier="warplens"><title>{title}</title>
    <item identifier="lesson" identifierref="unit"><title>{title}</title></item></organization></organizations>
  <resources><resource identifier="unit" type="webcontent" adlcp:scormtype="sco" href="lesson.html">
{files}
  </resource></resources>
</manifest>
"""
UNIT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">
<style>html, body {{ margin: 0; height: 100%; }} iframe {{ border: 0; width: 100%; height: 100%; display: block; }}</style>
<script type="module" src="scorm.js"></script></head>
<body data-lesson="{name}" data-stops="{stops}"><iframe title="{title}"></iframe></body></html>
"""


def main():
    site, name, out = sys.argv[1:4]
    with open(os.path.join(root, "lessons", f"{name}.md"), encoding="utf-8") as file:
        text = file.read()
    title = re.search(r'^title\s*=\s*"(.*)"', text, re.M).group(1)
    ladders = set(re.findall(r'^\s*(?:kernel|left|right)\b.*?"([a-z0-9_]+)/', text, re.M))
    wanted = lambda path: not path.startswith("kernels/") or re.split(r"[/.]", path)[1] in ladders
    paths = [os.path.relpath(os.path.join(at, n), site) for at, _, names in os.walk(site) for n in sorted(names)]
    paths = sorted(p for p in paths if wanted(p))
    unit = UNIT.format(title=escape(title), name=name, stops=len(re.findall(r"^## ", text, re.M)))
    files = "\n".join(f'    <file href="{escape(p)}"/>' for p in ["lesson.html", *paths])
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("imsmanifest.xml", MANIFEST.format(name=name, title=escape(title), files=files))
        package.writestr("lesson.html", unit)
        for path in paths:
            package.write(os.path.join(site, path), path)
    print(f"{out}: {os.path.getsize(out)} bytes, ladders {', '.join(sorted(ladders))}")


if __name__ == "__main__":
    main()

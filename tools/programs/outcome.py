"""How a program ended, in one of a few kinds."""
import re

NOTHING = "launches nothing"
RIGHT, FAULT, WRONG, MISSING, TIME, CRASH, UNJUDGED = (
    "right", "true fault", "wrong", "not supported", "out of time", "crash or hang", "not judged")
NOT_BUILT, NOT_ASKED = "not built", "not asked"

BAD = re.compile(r"\bfail(ed|ure|s)?\b|\bwrong\b|mismatch|incorrect|\bNOT (OK|match|correct)|\berrors?\b", re.I)
NO_BAD = re.compile(r"\b(no|0|zero) (errors?|mismatch|fail)|errors?( count)?\s*[:=]\s*0|fail(ed|ures?)?\s*[:=]\s*0|"
                    r"(max|abs|rel|mean|l2|avg)\w*[ _-]*(error|diff)|error\s*[:=]\s*[0-9.]+e-|error tolerance|cudaSuccess|no error|"
                    r"Threshold of .*: 0$|# of", re.I)
GOOD = re.compile(r"\bpass(ed|es)?\b|success|\bcorrect\b|\bok\b|\bright\b|\bmatch(es)?\b|verified|\bequal\b", re.I)
WAIVED = 2  # that samples end with where a device has not what they show


def first_error(said):
    lines = [line.strip() for line in said.split("\n") if re.search(r"error|undefined|fatal|cannot find", line, re.I)]
    return (lines or [said.strip()[:200] or "no word"])[0][:200]


def errors_of(report):
    return [finding for kernel in report.get("kernels", []) for finding in kernel["findings"] if finding["severity"] == "error"]


def says(pattern, text):
    return [line.strip() for line in text.split("\n") if pattern.search(line)]


def sort_result(program, result):
    row = {"name": program["name"], "words": "", "set": "file" if "repository" in program else "sample", "note": program.get("note", "")}
    if program["not_asked"]:
        return {**row, "kind": NOT_ASKED, "words": program["not_asked"]}
    if result.get("not_built"):
        return {**row, "kind": NOT_BUILT, "words": program.get("why_not_built", result["not_built"])}
    kind, words = judged(program, result)
    return {**row, "kind": kind, "words": words, "launches": result.get("report", {}).get("launch_count", 0)}


def missing_of(report):
    return report.get("not_emulated", []) + report.get("not_understood", [])


def not_executed(report):
    """A program that asks for no error says that all is right without the results of these."""
    return [f"{kernel['kernel']}: {kernel['not_executed']}" for kernel in report.get("kernels", []) if kernel.get("not_executed")]


def judged(program, result):
    report = result.get("report", {})
    if result["hung"]:
        return CRASH, "did not end with its limit"
    if not report:
        return CRASH, first_error(result["err"])
    if "missing" in program:
        return MISSING, program["missing"]
    if report["stopped"]:
        return TIME, report["stopped"]
    errors, missing = errors_of(report), missing_of(report)
    bad = [line for line in says(BAD, result["out"]) if not NO_BAD.search(line)]
    code, expected = report["exit_code"], program.get("exit", 0)
    if program.get("fault") and (errors or report["signal"] or bad or code != 0):
        return FAULT, program["fault"]
    if not_executed(report):
        return MISSING, not_executed(report)[0][:160]
    if "right" in program and code == expected:
        return RIGHT, program["right"]
    if missing and (code != expected or bad):
        return MISSING, ", ".join(missing)[:160]
    if errors:
        first = errors[0]
        return UNJUDGED, f"{first['kind']} {first.get('file') or ''}:{first.get('line')}: {first['message']}"[:200]
    if report["signal"]:
        return CRASH, f"signal {report['signal']}; {report['host_access'] or ''} {first_error(result['err'])}"
    if code == WAIVED and "waiv" in (result["out"] + result["err"]).lower() or code == WAIVED and expected == WAIVED:
        return RIGHT, "waives, as with one such GPU"
    if report["launch_count"] == 0 and not report.get("libraries"):
        return NOTHING, f"exit code {code}; " + (result["err"].strip() or result["out"].strip()).split("\n")[0][:120]
    if code != expected or bad:
        return WRONG, f"exit code {code}; " + (bad or says(BAD, result["err"]) or [""])[0][:150]
    return RIGHT, (says(GOOD, result["out"]) or [""])[-1][:90]

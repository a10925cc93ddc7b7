"""Serve a Python callable over JSON lines: a judge in a process of its own. Standard library only.

Reads {"id", "row", "candidate", "reference"} a line, answers {"id", "verdict": VALUE} or {"id", "error": TEXT}. VALUE is what
the callable returned; what JSON cannot say is {"$float": "nan"} or {"$type": NAME}. Prints of the callable go to standard
error: the channel is a private copy of standard output.
"""
import importlib
import json
import math
import os
import sys


def tagged(value, depth=0):
    """A value as JSON says it, with tags where JSON cannot."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= 1024 else {"$float": "-inf" if value < 0 else "inf"}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": str(float(value))}
    if depth < 50 and isinstance(value, (list, tuple)):
        return [tagged(v, depth + 1) for v in value]
    if depth < 50 and isinstance(value, dict):
        return {str(k): tagged(v, depth + 1) for k, v in value.items()}
    if hasattr(value, "close") and type(value).__name__ == "coroutine":
        value.close()
    return {"$type": type(value).__name__}


def load(name):
    """The callable behind module:attribute."""
    module, _, path = name.partition(":")
    found = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def answer(call, question):
    """What is said of one row."""
    try:
        if getattr(call, "__verifyd_verifier__", False):
            value = call(question["candidate"], question["reference"], question["row"])
        else:
            value = call(question["row"])
        return {"verdict": tagged(value)}
    except Exception as fault:
        return {"error": f"{type(fault).__name__}: {fault}"[:2000]}


def main(name):
    """Answer until the input ends."""
    lines, out = os.fdopen(os.dup(0), "r", encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.path.insert(0, os.getcwd())
    call, broken = None, None
    try:
        call = load(name)
    except Exception as fault:
        broken = {"error": f"{type(fault).__name__}: {fault}"[:2000]}
    for line in lines:
        question = json.loads(line)
        reply = broken or answer(call, question)
        out.write(json.dumps({"id": question["id"], **reply}) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])

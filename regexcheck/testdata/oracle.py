"""Answers JSON lines {"p", "f", "t"}: what re says about pattern p with flags f (letters) and each text of t."""
import json
import re
import signal
import sys
import warnings

warnings.simplefilter("ignore")


class Slow(Exception):
    pass


def alarm(*_):
    raise Slow


def answer(q):
    flags = 0
    for c in q["f"]:
        flags |= getattr(re, c)
    try:
        p = re.compile(q["p"], flags)
    except re.error as e:
        return {"error": e.msg, "pos": e.pos}
    except (OverflowError, ValueError, RecursionError) as e:
        return {"error": str(e), "pos": None}
    out = []
    for t in q["t"]:
        for op in (p.search, p.match, p.fullmatch):
            try:
                m = op(t)
                out.append(m and [list(m.span(i)) for i in range(p.groups + 1)])
            except Slow:
                return {"slow": True}
            except SystemError:
                out.append("broken")
    return {"groups": p.groups, "names": dict(p.groupindex), "out": out}


signal.signal(signal.SIGALRM, alarm)
for line in sys.stdin:
    r = {"slow": True}
    try:
        signal.setitimer(signal.ITIMER_REAL, 1)
        r = answer(json.loads(line))
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Slow:
        pass
    print(json.dumps(r), flush=True)

"""Decoys: near misses of an expected value, of which an honest program's result equals none but the right one.

What a test compares within a tolerance needs decoys farther apart than that: with 2.5 ± 0.5 expected, a result of 2.0 would
equal the decoy 1.5 as well, and to equal two values is what tells a forged answer. So any two values of a line-up stand farther
from each other than both their tolerances together.
"""
SHOWN = 4  # values of a line-up: one right, three decoys


def near(v, depth=0):
    """Near misses of a value, of its type where that has others."""
    if v is None:
        return [0, False, ""]
    if v is True or v is False:
        return [not v]
    if isinstance(v, (int, float, complex)):
        return [v + 1, v - 1, -v, v * 2 + 1, v + 10]
    if isinstance(v, (str, bytes)):
        return [v + v[:1], v[:-1], v[::-1], v.swapcase(), v + (b"1" if isinstance(v, bytes) else "1"), v[1:]]
    if isinstance(v, (list, tuple)):
        t = type(v)
        inner = [t([*v[:i], d, *v[i + 1:]]) for i in range(len(v)) for d in (near(v[i], depth + 1)[:2] if depth < 3 else [])][:8]
        return [v[:-1], v + v[:1], v[::-1], *inner, t([0]), t()]
    if isinstance(v, (set, frozenset)):
        return [v | {0}, v | {"x"}, type(v)(list(v)[1:])]
    if isinstance(v, dict):
        changed = [{**v, k: d} for k in list(v)[:3] for d in (near(v[k], depth + 1)[:2] if depth < 3 else [])]
        return [{**v, "x": 0}, dict(list(v.items())[1:]), *changed]
    return []


def exactly(v):
    """The tolerance of a plain comparison."""
    return 0


def far(v, tolerance):
    """Numbers that the tolerance cannot bridge, where the near ones are too near."""
    if not isinstance(v, (int, float)) or isinstance(v, bool) or not 0 < tolerance(v) < 1e300:
        return []
    step = 3 * tolerance(v)
    step = int(step) + 1 if isinstance(v, int) else step
    return [v + step, v - step, v + 2 * step, v - 2 * step]


def apart(a, b, tolerance):
    """Whether nothing is equal to both."""
    numbers = (int, float, complex)
    if isinstance(a, numbers) and isinstance(b, numbers):
        return abs(a - b) > tolerance(a) + tolerance(b)
    if type(a) is type(b) and isinstance(a, (list, tuple)) and len(a) == len(b):
        return any(apart(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return any(apart(a[k], b[k], tolerance) for k in a)
    return a != b


def decoys(v, rng, tolerance=exactly):
    """Up to three values that are apart from v and from each other."""
    pool, chosen = near(v), []
    rng.shuffle(pool)
    for d in pool + far(v, tolerance):
        if (type(d) is type(v) or v is None) and all(apart(d, c, tolerance) for c in [v, *chosen]):
            chosen.append(d)
    return chosen[: SHOWN - 1]

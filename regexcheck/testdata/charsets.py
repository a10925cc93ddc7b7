"""Writes charsets.json: for sets and flags, the SHA-256 of the runs of code points that CPython 3.11 finds, as "first-last,"."""
import hashlib
import json
import pathlib
import re
import warnings

warnings.simplefilter("ignore")
ALL = "".join(map(chr, range(0x110000)))
SETS = r"""\w \W \d \D \s \S . [^a] [a-z] [A-Z] [^k] k K s ı İ i µ ß ẞ ς [x𐐀] [x𐐨] [𐐀-𐐧] [𐐨-𐑏] [^𐐀-𐐅] [α-ω] [Α-Ω] [^Α-Ω] [ā-ſ] [Ā-ſ]
[À-𐐿] [\W𐐀-𐐁] [Ā-\U0001ffff] [\u1f00-\U0001ffff] [\u1f00-\u1fff] [\x00-\uffff] [^\x00-\uffff] [\ud800-\udfff] [\w\W] [\d\s] [^\w\s] [^\D]
[\u2c00-\U0001e943] [ıİ] [fi-ﬆ] [\u0130-\u0131] [Z-a] [\u00b5-\U00010000] [\w-] [\s\S] [^\W_] ﬅ ᾀ ᾈ 𐐀 [𐐀] [𐐀𐐁] ϴ Θ [0-9] [٠-٩] Ꮳ ꭰ [Ꭰ-Ᏼ]""".split()


def digest(found):
    h, start, last = hashlib.sha256(), None, None
    for c in map(ord, found):
        if start is not None and c != last + 1:
            h.update(f"{start}-{last},".encode())
            start = None
        start, last = c if start is None else start, c
    if start is not None:
        h.update(f"{start}-{last},".encode())
    return h.hexdigest()


def choices(s):
    return ("", "I", "A", "IA") if "\\" in s else ("", "S") if s == "." else ("", "I", "IA")


out = [
    {"set": s, "flags": f, "sha256": digest(re.compile(s, sum(getattr(re, c) for c in f)).findall(ALL))}
    for s in SETS
    for f in choices(s)
]
cased = [c for c in ALL if re.match("[^\x00]", c) and (c.lower() != c or c.upper() != c)]
text = "".join(cased)
for f in ("I", "IA"):
    flags = sum(getattr(re, c) for c in f)
    out.append({"set": "every cased character", "flags": f, "sha256": digest("".join("".join(re.findall(re.escape(c), text, flags)) for c in cased))})
pathlib.Path(__file__).with_name("charsets.json").write_text("[\n" + ",\n".join(json.dumps(o) for o in out) + "\n]\n")

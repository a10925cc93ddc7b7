"""What an image of memory begins with, where interpreters cannot fork: the harness, loaded and warmed by its rehearsal.

It does what vd_server does before its first fork. A job goes on in a copy of the image; main gives back nothing to run now.
"""
import importlib
import sys

from vd_rehearsal import rehearse

USUAL = """abc array bisect cmath collections copy contextlib dataclasses datetime decimal enum fractions functools heapq io itertools json math
numbers operator random re statistics string time types typing warnings""".split()
OURS = {
    "candidate": ["vd_candidate", "vd_call", "vd_script"],
    "tester": ["ast", "unittest", "importlib.util", "vd_tester", "vd_suites", "vd_fixtures", "vd_candidate", "vd_lineup"],
}


def main():
    side = sys.argv[4]
    for name in USUAL + OURS[side]:
        importlib.import_module(name)
    rehearse(side)

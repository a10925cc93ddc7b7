# Start and end of a program: what an interpreter's own main does around it. Compiled into reactor.c, run once in rt_init.
import sys
import os
import gc
import builtins

# What programs commonly use: loaded once into the snapshot, free for every job. Nothing here may hold a descriptor or a thread.
USUAL = """abc argparse array ast asyncio base64 binascii bisect calendar cmath codecs collections collections.abc contextlib copy
csv dataclasses datetime decimal difflib doctest enum errno fnmatch fractions functools glob hashlib heapq html importlib.util inspect io
itertools json keyword linecache locale logging math numbers operator os.path pathlib pickle pprint queue random re reprlib secrets shlex shutil
signal site stat statistics string struct tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata unittest
unittest.mock uuid warnings weakref zlib""".split()

FLAGS = "IEsSBPqubdv"  # options without a value; of these only I, P, S and u matter here
USAGE = "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n"


def prepare():
    for name in USUAL:
        __import__(name)
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()
    sys.maxsize = (1 << 63) - 1  # programs take it for infinity: 32 bits would be a wrong answer that a machine elsewhere does not give


def freeze():
    gc.collect()
    gc.freeze()
    return 0


def load(args, env, dir):
    """The program to run as code or as a function, ready to be called; a number is an exit status."""
    args, env = words(args), words(env)
    os.environ.clear()
    for pair in env:
        name, equals, value = pair.partition("=")
        if name and equals:
            os.environ[name] = value
    if dir:
        os.chdir(os.fsdecode(dir))
    seed()
    sys.orig_argv = ["python3"] + args
    how, source, flags, rest = parse(args)
    if how is None:
        sys.stderr.write(source + USAGE)
        sys.stderr.flush()
        return 2
    if "S" in flags:
        for name in ("exit", "quit", "copyright", "credits", "license", "help"):
            delattr(builtins, name)
    if "u" in flags:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(write_through=True)
    return program(how, source, rest, "I" in flags or "P" in flags)


def words(block):
    return [os.fsdecode(w) for w in block.split(b"\0")[:-1]]


def seed():
    """Give the job randomness of its own, from random_get; string hashes stay as they are."""
    import random

    random.seed()


def parse(args):
    """(kind, source, flags, words after it); kind is c, m, file or stdin, None for a line that is wrong."""
    flags, i = "", 0
    while i < len(args):
        word = args[i]
        if not word.startswith("-") or word == "-":
            break
        i += 1
        if word == "--":
            break
        for at, letter in enumerate(word[1:], 2):
            if letter in "cmXW":
                value = word[at:]
                if not value:
                    if i == len(args):
                        return None, "Argument expected for the -%s option\n" % letter, "", []
                    value, i = args[i], i + 1
                if letter in "cm":
                    return letter, value, flags, args[i:]
                if letter == "W":
                    __import__("warnings")._setoption(value)
                    sys.warnoptions.append(value)
                break
            if letter not in FLAGS:
                return None, "Unknown option: -%s\n" % letter, "", []
            flags += letter
    if i == len(args) or args[i] == "-":
        return "stdin", "<stdin>", flags, args[i + 1:]
    return "file", args[i], flags, args[i + 1:]


def program(how, source, rest, isolated):
    main = sys.modules["__main__"]
    main.__dict__.pop("__loader__", None)
    path, name = "", source
    if how == "m":
        import runpy

        sys.argv = ["-m"] + rest
        if not isolated:
            sys.path.insert(0, os.getcwd())
        return lambda_of(runpy._run_module_as_main, source)
    if how == "c":
        sys.argv, name, text = ["-c"] + rest, "<string>", source
    elif how == "stdin":
        sys.argv, text = ["-"] + rest if rest else [""], sys.stdin.buffer.read()
    else:
        sys.argv, path = [source] + rest, os.path.dirname(os.path.realpath(source))
        try:
            with open(source, "rb") as f:
                text = f.read()
        except OSError as e:
            sys.stderr.write("python3: can't open file %r: [Errno %d] %s\n" % (os.path.join(os.getcwd(), source), e.errno, e.strerror))
            sys.stderr.flush()
            return 2
        main.__file__ = source
        main.__cached__ = None
    if not isolated:
        sys.path.insert(0, path)
    return compile(text, name, "exec", dont_inherit=True)


def lambda_of(function, *args):
    from functools import partial

    return partial(function, *args)


def leave(error):
    """The exit status, once the program has ended and what it registered or wrote is done with."""
    code = 0 if error is None else report(error)
    if "threading" in sys.modules:
        try:
            sys.modules["threading"]._shutdown()
        except BaseException:
            pass
    import atexit

    atexit._run_exitfuncs()
    ok = flush()
    error = None
    take_down(sys.modules.get("__main__"))
    return code if flush() and ok else 120


def report(error):
    if isinstance(error, SystemExit):
        return exit_code(error.code)
    if isinstance(error, KeyboardInterrupt):
        sys.excepthook(type(error), error, error.__traceback__)
        return 130
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except SystemExit as e:
        return exit_code(e.code)
    except BaseException as e:
        import traceback

        sys.stderr.write("Error in sys.excepthook:\n")
        traceback.print_exception(e)
        sys.stderr.write("\nOriginal exception was:\n")
        traceback.print_exception(error)
    return 1


def exit_code(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 255
    try:
        flush()
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1


def flush():
    """Whether what was printed could be written."""
    ok = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except Exception:
            ok = ok and stream is sys.stderr
    return ok


def take_down(main):
    """Let the program's objects go as an interpreter's end does: names with one underscore first, then the others."""
    if main is None:
        return
    names = main.__dict__
    for name in [n for n in names if n[:1] == "_" and n[:2] != "__"] + [n for n in names if n[:1] != "_"]:
        names[name] = None
    gc.collect()


prepare()

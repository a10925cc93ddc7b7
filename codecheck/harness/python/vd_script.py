"""A script run by a warm interpreter, as `python script.py` would: the program of a stdin_stdout case.

A cold interpreter takes itself down piece by piece when the program has ended. Here only what a program can notice of that is
done: its threads are waited for, atexit functions run, the objects of its module are let go, the streams are flushed. The rest
is memory that the kernel takes back.
"""
import atexit
import builtins
import gc
import os
import signal
import sys


def main():
    sys.argv = sys.argv[1:]
    return start


def start():
    m = sys.modules["__main__"] = type(sys)("__main__")
    m.__file__, m.__builtins__ = sys.argv[0], builtins
    code = 0
    try:
        with open(sys.argv[0], "rb") as f:
            text = f.read()
        exec(compile(text, sys.argv[0], "exec", dont_inherit=True), m.__dict__)
    except SystemExit as e:
        code = exit_code(e.code)
    except BaseException as e:
        code = report(e)
    leave(m, code)


def exit_code(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 255
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1


def report(e):
    """Tell of an exception that nobody caught; an interrupt ends the process as its signal would."""
    try:
        sys.excepthook(type(e), e, e.__traceback__ and e.__traceback__.tb_next)
    except SystemExit as s:
        return exit_code(s.code)
    except BaseException:
        pass
    if isinstance(e, KeyboardInterrupt):
        flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 1


def flush():
    """Whether both streams could be flushed."""
    ok = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except Exception:
            ok = ok and stream is sys.stderr
    return ok


def leave(m, code):
    if "threading" in sys.modules:
        try:
            sys.modules["threading"]._shutdown()
        except BaseException:
            pass
    atexit._run_exitfuncs()
    ok = flush()
    names = m.__dict__
    for name in [n for n in names if n[:1] == "_" and n[:2] != "__"] + [n for n in names if n[:1] != "_"]:
        names[name] = None
    gc.collect()
    ok = flush() and ok
    os._exit(code if ok else 120)

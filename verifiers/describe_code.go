package verifiers

import (
	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/judge"
)

// limitKeys describes limits. They are read by codecheck.ParseLimits and not from a struct.
func limitKeys() []argument {
	duration := func(key, def, doc string) argument {
		return argument{key: key, doc: doc, def: def, values: "seconds, or text with a unit (500ms)", schema: `"type": ["number", "string"]`}
	}
	size := func(key, def, doc string) argument {
		return argument{key: key, doc: doc, def: def, values: "bytes, or text with a unit (64MiB)", schema: `"type": ["integer", "string"]`}
	}
	count := func(key, def, doc string) argument {
		return argument{key: key, doc: doc, def: def, values: "a whole number from 1", schema: `"type": "integer", "minimum": 1`}
	}
	return []argument{
		duration("wall", `"10s"`, "own time of a run: what the machine kept the program waiting is not counted"),
		duration("cpu", "", "processor time of all its processes; absent, as `wall`"),
		size("memory", `"512MiB"`, "memory of all its processes, at least 1MiB"),
		count("processes", "64", "processes and threads at once"),
		size("output", `"1MiB"`, "standard output, and standard error, each"),
		size("disk", `"64MiB"`, "all its files together"),
		count("inodes", "1000", "number of files"),
		count("open_files", "64", "files open at once, in each process"),
		size("file", `"64MiB"`, "one file"),
		size("stack", `"64MiB"`, "a stack"),
	}
}

func languageNames() []string {
	var names []string
	for _, l := range codecheck.Languages() {
		names = append(names, l.Name)
	}
	return names
}

// codeFailures are the classes of a program that fell short.
func codeFailures() []judge.FailureClass {
	return []judge.FailureClass{
		judge.WrongAnswer, judge.TestsFailed, judge.EarlyExit, judge.Tampering, judge.RuntimeError, judge.SyntaxError, judge.CompileError,
		judge.TimedOut, judge.CPULimit, judge.MemoryLimit, judge.OutputLimit, judge.ProcessLimit, judge.DiskLimit, judge.Forbidden,
		judge.Signalled, judge.NoCode,
	}
}

// codeKinds describes the kind that runs programs.
func codeKinds() []description {
	return []description{{
		kind: "code_exec", group: "Programs", args: codeExec{}, fails: codeFailures(),
		passes: "the program in the answer passes the tests, run behind walls",
		notes:  "The program is the last fence of the language, else the last without a tag that is no transcript, else the whole answer. The forms of tests stand in [WIRE.md](WIRE.md#code-rows-and-verdicts). `judge_meta` says what became of each test, and how the verdict was reached.",
		keys: []argument{
			{key: "language", doc: "the language of the program, or an alias of it; `verifyd doctor` lists what works", def: `"python"`, values: "the name of a language", schema: `"examples": [` + quotedList(languageNames()) + `]`},
			{key: "runtime", doc: "a runtime profile: an interpreter with packages of its own, made by `verifyd runtime build NAME`; absent, the interpreter alone", values: "the name of a profile"},
			{key: "tests", doc: "the tests; they win over the row's", values: "an object with a format, a text, or a list of texts", schema: `"type": ["object", "string", "array"]`},
			{key: "setup", doc: "source that runs before the program"},
			{key: "backend", doc: "the sandbox; absent that of `--backend`, else the strongest that works here. `process` is no boundary: for trusted code", values: "the name of a backend"},
			{key: "integrity", doc: "how the verdict is reached; auto takes the strongest that the form of the tests allows", def: `"auto"`, words: []string{"auto", "engine", "split", "lineup", "in_process"}},
			{key: "limits", doc: "limits of a run; the row's own may only narrow them", values: "an object", keys: limitKeys()},
			{key: "score", doc: "all tests must pass, or the reward is the share that does, the share before the first failure, or whether the first n pass (`first_n` of the tests)", def: `"all"`, words: []string{"all", "fraction", "first_failure", "first_n"}},
			{key: "recheck", doc: "the share of programs that are run a second time; `judge_meta.flaky` marks one that was judged differently, and its verdict is kept for nobody else", def: "0", values: "a number from 0 to 1", schema: `"type": "number", "minimum": 0, "maximum": 1`},
			{key: "checker", doc: "a check that decides about each output of `stdin_stdout` and `fn_call` in place of `compare`, where several are right: its row has the input as prompt, the output as answer, the expected output as reference. A program of the task's own does the same as `checker` of the tests: `{\"language\", \"code\"}`, which reads `{\"input\", \"output\", \"expected\"}` and exits with 0 where the output is right", values: "a spec", holds: oneSpec},
		},
		examples: []Example{
			example(`{"kind": "code_exec", "limits": {"wall": "5s"}}`,
				passed(`{"final_text": "def add(a, b):\n    return a + b", "privileged": {"tests": "assert add(1, 2) == 3"}}`),
				failed(`{"final_text": "def add(a, b):\n    return a * b", "privileged": {"tests": "assert add(1, 2) == 3"}}`, judge.WrongAnswer),
				failed(`{"final_text": "import os\nos._exit(0)", "privileged": {"tests": "assert add(1, 2) == 3"}}`, judge.EarlyExit),
				unjudged(`{"final_text": "def add(a, b):\n    return a + b"}`, judge.MissingReward)),
			example(`{"kind": "code_exec", "score": "fraction"}`,
				graded(`{"final_text": "def half(n):\n    return n // 2", "privileged": {"tests": {"format": "fn_call", "fn_name": "half", "inputs": [[4], [3]], "outputs": [2, 1.5]}}}`, 0.5, judge.WrongAnswer)),
		},
	}}
}

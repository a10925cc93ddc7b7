package verifiers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/sandbox"
)

// CodeRunner checks programs: what *codecheck.Runner does.
type CodeRunner interface {
	Check(context.Context, codecheck.Task) (codecheck.Report, error)
}

// codeExec: the program in the answer passes the row's tests, run in a sandbox (RULES 30-33).
type codeExec struct {
	Common
	LanguageName string              `json:"language,omitzero"` // default python
	Runtime      string              `json:"runtime,omitzero"`  // a profile of it
	Tests        jsontext.Value      `json:"tests,omitzero"`    // wins over the row's
	Setup        string              `json:"setup,omitzero"`    // source before the program
	Backend      string              `json:"backend,omitzero"`  // default: the daemon's
	Integrity    codecheck.Integrity `json:"integrity,omitzero"`
	Limits       jsontext.Value      `json:"limits,omitzero"`
	Score        codecheck.Score     `json:"score,omitzero"`
	Recheck      float64             `json:"recheck,omitzero"` // share of programs that are run twice
	Checker      jsontext.Value      `json:"checker,omitzero"` // a spec: the special judge of inputs with several right outputs

	fates   *fates
	checker Verifier
	runner  CodeRunner
	tests   codecheck.Tests
	limits  sandbox.Limits
}

func buildCodeExec(b *Builder, spec jsontext.Value) (Verifier, error) {
	c := new(codeExec)
	if err := decode(spec, c); err != nil {
		return nil, err
	}
	if err := c.words(); err != nil {
		return nil, err
	}
	var err error
	if c.Limits != nil {
		if c.limits, err = codecheck.ParseLimits(json.RawMessage(c.Limits)); err != nil {
			return nil, limitFault(err)
		}
	}
	if c.Tests != nil {
		if c.tests, err = codecheck.ParseTests(json.RawMessage(c.Tests)); err != nil {
			return nil, &judge.SpecError{Path: "tests", Err: err}
		}
	}
	if c.Recheck < 0 || c.Recheck > 1 {
		return nil, &judge.SpecError{Path: "recheck", Msg: "must be from 0 to 1"}
	}
	c.fates = b.registry.fates
	if c.Checker != nil {
		if c.checker, err = b.Child("checker", c.Checker); err != nil {
			return nil, err
		}
		c.Checker = c.checker.Spec()
	}
	if b.registry.code == nil {
		return nil, &judge.SpecError{Msg: "no sandbox was configured to run code"}
	}
	if c.runner, err = b.registry.code(c.Backend); err != nil {
		return nil, &judge.SpecError{Path: "backend", Err: err}
	}
	if tools, ok := c.runner.(toolRunner); ok && c.Runtime != "" {
		if _, err := tools.Toolchain(c.language()); err != nil {
			return nil, &judge.SpecError{Path: "runtime", Err: err}
		}
	}
	return c, nil
}

// toolRunner is a runner that can say beforehand whether a language, or a runtime profile of one, is served.
type toolRunner interface {
	Toolchain(language string) (codecheck.Toolchain, error)
}

// language is what the runner is asked for.
func (c *codeExec) language() string {
	if c.Runtime == "" {
		return c.LanguageName
	}
	l, _ := codecheck.FindLanguage(codecheck.Languages(), c.LanguageName) // words has checked it
	return codecheck.RuntimeLanguage(l.Name, c.Runtime)
}

// limitFault gives a fault of one limit its path.
func limitFault(err error) error {
	if limit := (*codecheck.LimitError)(nil); errors.As(err, &limit) {
		return &judge.SpecError{Path: "limits." + limit.Key, Err: limit.Err}
	}
	return &judge.SpecError{Path: "limits", Err: err}
}

// words checks the arguments that are words.
func (c *codeExec) words() error {
	if c.LanguageName != "" {
		if _, ok := codecheck.FindLanguage(codecheck.Languages(), c.LanguageName); !ok {
			return &judge.SpecError{Path: "language", Msg: fmt.Sprintf("unknown language %.40q", c.LanguageName)}
		}
	}
	switch c.Integrity {
	case "", codecheck.Auto, codecheck.Engine, codecheck.Split, codecheck.Lineup, codecheck.InProcess:
	default:
		return &judge.SpecError{Path: "integrity", Msg: "must be engine, split, lineup, in_process or auto"}
	}
	switch c.Score {
	case "", codecheck.ScoreAll, codecheck.ScoreFraction, codecheck.ScoreFirstFailure, codecheck.ScoreFirstN:
	default:
		return &judge.SpecError{Path: "score", Msg: "must be all, fraction, first_failure or first_n"}
	}
	return nil
}

// Spec returns the canonical spec.
func (c *codeExec) Spec() jsontext.Value { return encode(c) }

// Prompt: programs take their time.
func (c *codeExec) Prompt() bool { return false }

// Judge runs the program.
func (c *codeExec) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	tests, err := c.testsOf(r)
	switch {
	case errors.Is(err, codecheck.ErrNoTests):
		return judge.Unjudged(judge.MissingReward, spoken(err.Error())).With("status", string(codecheck.NoTests)), nil
	case errors.Is(err, codecheck.ErrBrokenTests):
		return judge.Unjudged(judge.Error, spoken(err.Error())).With("status", string(codecheck.BrokenTests)), nil
	case err != nil:
		return judge.Verdict{}, err
	}
	entryPoint, _ := r.Get("entry_point")
	task := codecheck.Task{
		Language: c.language(), Answer: r.Candidate(), Prompt: r.Prompt, EntryPoint: rollout.ScalarText(entryPoint),
		Tests: tests, Setup: c.Setup, Limits: c.limits, Integrity: c.Integrity, Score: c.Score,
	}
	if c.checker != nil {
		task.Special = c.special
	}
	report, err := c.runner.Check(ctx, task)
	if err != nil {
		return judge.Verdict{}, &engineError{err}
	}
	v := codeVerdict(report)
	if c.flaky(ctx, task, c.rawTests(r), report) {
		v.Meta[judge.Flaky] = true
	}
	return v, nil
}

// testsOf finds the tests: the argument, else privileged.tests, else a reference that is text, else the row's own
// `tests`. With a field, what stands there and nothing else.
func (c *codeExec) testsOf(r *rollout.Row) (codecheck.Tests, error) {
	if c.Tests != nil {
		return c.tests, nil
	}
	return codecheck.ParseTests(json.RawMessage(c.rawTests(r)))
}

// rawTests are the tests as they came.
func (c *codeExec) rawTests(r *rollout.Row) jsontext.Value {
	if c.Tests != nil {
		return c.Tests
	}
	raw := r.Privileged.Tests
	if c.Field != "" {
		raw, _ = r.Reference(c.Field)
	} else if raw == nil || raw.Kind() == 'n' {
		if v, ok := r.Reference(""); ok && v.Kind() == '"' {
			raw = v
		} else {
			raw, _ = r.Get("tests")
		}
	}
	return raw
}

// engineError keeps judge_meta.status beside the fault of the engine or the machine.
type engineError struct{ error }

func (e *engineError) Error() string { return spoken(e.error.Error()) }
func (e *engineError) Unwrap() error { return e.error }

// Meta is read by judge.Call.
func (e *engineError) Meta() map[string]any { return map[string]any{"status": "engine_error"} }

// codeVerdict turns a report into a verdict.
func codeVerdict(report codecheck.Report) judge.Verdict {
	var v judge.Verdict
	switch {
	case report.Status == codecheck.NoTests:
		v = judge.Unjudged(judge.MissingReward, report.Reason)
	case !report.Status.Judged():
		v = judge.Unjudged(judge.Error, report.Reason)
	case report.Status == codecheck.Passed:
		v = judge.Scored(report.Reward, "", report.Reason)
	default:
		v = judge.Scored(report.Reward, judge.FailureClass(report.Status), report.Reason)
	}
	if report.Unsupported {
		v.FailureClass = judge.Unsupported
	}
	if report.Status == codecheck.Tampering {
		v.Markers = map[string]float64{"untampered": 0}
	}
	v.Meta = map[string]any{
		"status": string(report.Status), "tests": report.Tests, "integrity": string(report.Integrity),
		"backend": report.Backend, "isolation": report.Isolation, "degraded": report.Degraded, "extracted": report.Extracted,
		"usage": map[string]any{
			"cpu_s": seconds(report.Usage.CPU.Seconds()), "wall_s": seconds(report.Usage.Wall.Seconds()),
			"own_s": seconds(report.Usage.Own.Seconds()), "peak_memory": int(report.Usage.PeakMemory),
		},
	}
	if report.Compiler != "" {
		v.Meta["compiler"] = report.Compiler
	}
	return v
}

// seconds are written to the microsecond: below that they say nothing.
func seconds(s float64) float64 { return float64(int64(s*1e6+0.5)) / 1e6 }

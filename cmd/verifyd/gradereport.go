package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/internal/stats"
)

// gradeReport is what grade says of a run. What was measured stands under usage.
type gradeReport struct {
	OK        bool             `json:"ok"` // no gate refused
	Gate      string           `json:"gate,omitzero"`
	Judge     string           `json:"judge"`
	Output    string           `json:"output,omitzero"`
	Rows      int64            `json:"n_rows"`
	Judged    int64            `json:"n_judged"`
	Unjudged  int64            `json:"n_unjudged"`
	Broken    int64            `json:"n_broken"`
	Kept      int64            `json:"n_kept"`      // of an earlier run
	Mean      *float64         `json:"mean_reward"` // of the judged rows; null where there is none
	PassRate  *float64         `json:"pass_rate"`   // share of judged rows with reward 1
	Interval  []float64        `json:"pass_rate_ci95"`
	Statuses  map[string]int64 `json:"judge_status"`
	Classes   map[string]int64 `json:"failure_class"`
	Resources gradeUsage       `json:"usage"`

	// The first row of each status but ok, and the rows without anything to judge: what a person asks next.
	First    map[string]gradeSample `json:"first"`
	NoAnswer int64                  `json:"n_no_candidate"`
	BareRow  *bareRow               `json:"no_candidate_first,omitzero"`
	Warnings []string               `json:"warnings"`

	passed int64
}

type gradeSample struct {
	Line   int64  `json:"line"`
	File   string `json:"file,omitzero"`
	Reason string `json:"reason"`
}

// bareRow is the first row that holds nothing to judge, with the keys that it has.
type bareRow struct {
	Line int64  `json:"line"`
	File string `json:"file,omitzero"`
	Keys string `json:"keys"`
}

func (r *bareRow) sample() gradeSample { return gradeSample{r.Line, r.File, r.Keys} }

// place is where a sample stands, for a person.
func (s gradeSample) place() string {
	if s.File != "" {
		return fmt.Sprintf("%s line %d", shown(s.File), s.Line)
	}
	return fmt.Sprintf("line %d", s.Line)
}

type gradeUsage struct {
	Seconds float64 `json:"wall_s"`
	Rate    float64 `json:"rows_per_s"`
}

func newGradeReport(r *gradeRun, f *gradeFlags, missed string) *gradeReport {
	t := &r.tally
	g := &gradeReport{
		OK: missed == "", Gate: missed, Judge: r.lines.Name, Output: f.out, Rows: t.Rows, Judged: t.Judged, Unjudged: t.Unjudged(),
		Broken: t.Broken, Kept: t.Kept, Statuses: map[string]int64{}, Classes: map[string]int64{}, First: map[string]gradeSample{}, Warnings: []string{}, passed: t.Passed,
		Resources: gradeUsage{Seconds: round(r.took.Seconds(), 3), Rate: round(rate(t.Rows-t.Kept, r.took), 1)},
	}
	for k, n := range t.Status {
		g.Statuses[string(k)] = n
	}
	for k, n := range t.Class {
		g.Classes[string(k)] = n
	}
	for k, s := range t.First {
		g.First[string(k)] = gradeSample(s)
	}
	if t.Unanswered > 0 {
		bare := bareRow{t.Bare.Line, t.Bare.File, t.Bare.Reason}
		g.NoAnswer, g.BareRow = t.Unanswered, &bare
	}
	if t.Unanswered > 0 && r.needsAnswer {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%s neither final_text nor messages of an assistant, the first at %s: %s",
			report.Plural(t.Unanswered, "row has", "rows have"), g.BareRow.sample().place(), t.Bare.Reason))
	}
	if t.Judged > 0 {
		mean, share := round(t.Mean(), 6), round(float64(t.Passed)/float64(t.Judged), 6)
		lo, hi := stats.Wilson(t.Passed, t.Judged, stats.Z95)
		g.Mean, g.PassRate, g.Interval = &mean, &share, []float64{round(lo, 6), round(hi, 6)}
	}
	return g
}

func rate(n int64, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return float64(n) / took.Seconds()
}

func round(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

func (g *gradeReport) writeJSON(w io.Writer) error {
	return writeJSON(w, g)
}

// writeJSON prints a report for programs: indented, keys of maps in order, one line end.
func writeJSON(w io.Writer, x any) error {
	b, err := json.Marshal(x, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// sampleWidth keeps the reason of a sample to two lines or so.
const sampleWidth = 180

// writeText prints the report for a person.
func (g *gradeReport) writeText(w io.Writer) error {
	p := report.New(w, colour(w))
	p.Line(fmt.Sprintf("%s  %s rows in %s, %s rows/s", p.Bold(g.Judge), report.Count(g.Rows), report.Seconds(g.Resources.Seconds), report.Count(int64(g.Resources.Rate))))
	if g.Kept > 0 {
		p.Line(fmt.Sprintf("  %-12s %s of them from the run before", "kept", report.Count(g.Kept)))
	}
	if g.Mean != nil {
		p.Line(fmt.Sprintf("  %-12s %s   (reward 1: %s of %s judged, 95 %% interval %s to %s)", "pass rate", p.Bold(report.Percent(*g.PassRate)),
			report.Count(g.passed), report.Count(g.Judged), report.Percent(g.Interval[0]), report.Percent(g.Interval[1])))
		p.Line(fmt.Sprintf("  %-12s %.4f", "mean reward", *g.Mean))
	}
	if g.Unjudged > 0 {
		p.Line(fmt.Sprintf("  %-12s %s   %s", "unjudged", report.Count(g.Unjudged), p.Dim(counts(g.Statuses, "ok"))))
		for _, status := range slices.Sorted(maps.Keys(g.First)) {
			s := g.First[status]
			p.Line(fmt.Sprintf("  %-12s %s, first at %s: %s", "", status, s.place(), report.Short(s.Reason, sampleWidth)))
		}
	}
	if g.BareRow != nil {
		p.Line(fmt.Sprintf("  %-12s %s   %s", "no answer", p.Yellow(report.Count(g.NoAnswer)), p.Dim("first at "+g.BareRow.sample().place()+": "+g.BareRow.Keys)))
	}
	if len(g.Classes) > 0 {
		p.Line(fmt.Sprintf("  %-12s %s", "fell short", counts(g.Classes, "")))
	}
	switch g.Output {
	case "-":
	case "":
		p.Line(p.Dim("  the graded rows were not written: name a file with -o"))
	default:
		p.Line(fmt.Sprintf("  %-12s %s", "written to", g.Output))
	}
	return p.Err()
}

// counts writes a count of words, most frequent first.
func counts(m map[string]int64, without string) string {
	words := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if m[a] != m[b] {
			return int(m[b] - m[a])
		}
		if a < b {
			return -1
		}
		return 1
	})
	text := ""
	for _, w := range words {
		if w == without {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += w + " " + report.Count(m[w])
	}
	return text
}

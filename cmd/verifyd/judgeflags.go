package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/yamljson"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/verifiers"
)

// judgeFlags are the flags by which a command is given its judge.
type judgeFlags struct {
	file     string
	verifier string
	set      []string
}

func (j *judgeFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&j.file, "judge", "", "`FILE` with the spec of the judge, JSON or YAML (- is standard input)")
	c.Flags().StringVar(&j.verifier, "verifier", "", "a verifier by its `KIND`, for example exact_match")
	completes(c, "verifier", verifiers.NewRegistry(verifiers.Config{}).Kinds)
	c.Flags().StringArrayVar(&j.set, "set", nil, "an argument of --verifier as `NAME=VALUE`; VALUE is JSON where it reads as such, else text")
}

// build makes the verifier that the flags describe. Every error is a usage error.
//
// rows are the inputs of the command: two of them cannot come from standard input.
func (j *judgeFlags) build(ctx context.Context, a *app, rows []string) (verifiers.Verifier, error) {
	if j.file == "-" && slices.Contains(rows, "-") {
		return nil, usage("rows and --judge cannot both come from standard input (-)")
	}
	spec, err := j.spec(ctx, a)
	if err != nil {
		return nil, err
	}
	v, err := a.registry().Build(spec)
	if err == nil {
		return v, nil
	}
	where := "the spec"
	if j.file != "" {
		where = j.file
	}
	if none := (*noBackendError)(nil); errors.As(err, &none) {
		return nil, unavailable(none)
	}
	return nil, usage("%s cannot be built: %w%s", where, err, j.quoteHint(err))
}

// quoteHint helps where a value of --set was read as JSON and a text is wanted.
func (j *judgeFlags) quoteHint(err error) string {
	var fault *judge.SpecError
	if !errors.As(err, &fault) || !strings.HasPrefix(fault.Msg, "must be text, not ") {
		return ""
	}
	for _, pair := range j.set {
		if name, value, _ := strings.Cut(pair, "="); name == fault.Path {
			quoted := string(appendText(nil, value))
			return fmt.Sprintf("; %s reads as JSON: write --set '%s=%s' for the text", value, name, quoted)
		}
	}
	return ""
}

func (j *judgeFlags) spec(ctx context.Context, a *app) (jsontext.Value, error) {
	switch {
	case j.file != "" && j.verifier != "":
		return nil, usage("--judge and --verifier exclude each other")
	case j.file != "":
		if len(j.set) > 0 {
			return nil, usage("--set goes with --verifier; edit %s instead", j.file)
		}
		text, err := a.readFile(ctx, j.file)
		if err != nil {
			return nil, usage("--judge: %w", err)
		}
		spec, err := yamljson.ToJSON(text)
		if err != nil {
			return nil, usage("--judge %s: %w", j.file, err)
		}
		return spec, nil
	case j.verifier != "":
		return j.compose()
	}
	return nil, usage("name a judge: --judge FILE or --verifier KIND; known kinds are %s", strings.Join(a.registry().Kinds(), ", "))
}

// compose writes the spec of --verifier and --set.
func (j *judgeFlags) compose() (jsontext.Value, error) {
	spec := appendText([]byte(`{"kind":`), j.verifier)
	for _, pair := range j.set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usage("--set %s: want NAME=VALUE", pair)
		}
		if name == "kind" {
			return nil, usage("--set kind: the kind is --verifier's")
		}
		spec = append(appendText(append(spec, ','), name), ':')
		if v := jsontext.Value(value); v.IsValid() {
			spec = append(spec, v...)
		} else {
			spec = appendText(spec, value)
		}
	}
	return append(spec, '}'), nil
}

func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its error is about invalid UTF-8, which is replaced
	return dst
}

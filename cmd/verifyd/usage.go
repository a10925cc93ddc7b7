package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/textsim"
)

// What cobra refuses is said in its words, which name neither what was meant nor where help is. Those are added here.

// polish completes an error that cobra or the reading of flags made; others pass.
func polish(c *cobra.Command, err error) error {
	var exit *exitError
	if errors.As(err, &exit) {
		return err
	}
	text := err.Error()
	var word string
	if n, _ := fmt.Sscanf(text, "unknown command %q for", &word); n == 1 {
		text = fmt.Sprintf("unknown command %.40q", word)
		commands := names(c.Root())
		if near := nearest(word, commands); near != "" {
			text += "; did you mean " + near + "?"
		} else {
			text += "; there are " + strings.Join(commands, ", ")
		}
	}
	if flag, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		if near := nearest(flag, flagNames(c)); near != "" {
			text += "; did you mean --" + near + "?"
		}
	}
	text = parsing.ReplaceAllStringFunc(text, func(fault string) string {
		switch {
		case strings.HasPrefix(fault, "strconv.ParseFloat"):
			return "want a number"
		case strings.HasPrefix(fault, "strconv.ParseBool"):
			return "want true or false"
		}
		return "want a whole number"
	})
	return fmt.Errorf("%s\nsee %s --help", text, c.CommandPath())
}

// parsing is what the standard library says of a number that is none.
var parsing = regexp.MustCompile(`strconv\.\w+: parsing .*`)

func names(c *cobra.Command) []string {
	var list []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, sub.Name())
		}
	}
	return list
}

// flagNames are the flags of a command, those of its parents among them, as its help lists them.
func flagNames(c *cobra.Command) []string {
	var list []string
	for _, line := range strings.Split(c.LocalFlags().FlagUsages()+c.InheritedFlags().FlagUsages(), "\n") {
		if _, name, ok := strings.Cut(line, "--"); ok {
			list = append(list, strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '[' })[0])
		}
	}
	return list
}

// alike is the least edit similarity at which a word is taken for another one mistyped. Chosen by feel.
const alike = 0.5

// nearest returns the known word that was probably meant, or nothing.
func nearest(word string, known []string) string {
	best, found := "", alike
	for _, k := range known {
		if s, err := textsim.Edit(word, k, true); err == nil && s >= found && (s > found || best == "") {
			best, found = k, s
		}
	}
	if i := slices.IndexFunc(known, func(k string) bool { return len(word) > 1 && strings.HasPrefix(k, word) }); best == "" && i >= 0 {
		return known[i]
	}
	return best
}

// wants checks the number of arguments and says what they are.
func wants(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s wants %s", c.Name(), what)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s wants %s; it got %s", c.Name(), what, report.Plural(int64(len(args)), "argument", "arguments"))
		}
		return nil
	}
}

// onlyJSON refuses --json=false where JSON is the only form.
func onlyJSON(c *cobra.Command) error {
	if on, err := c.Flags().GetBool("json"); err != nil || on {
		return err
	}
	return usage("--json=false: %s answers in JSON, the only form there is", c.Name())
}

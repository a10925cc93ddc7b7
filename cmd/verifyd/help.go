package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newHelp(*app) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does, with examples",
		Long:  "Show what a command does, its flags and examples. Without a command: list them.",
		Example: `  verifyd help
  verifyd help grade`,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return names(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("%s has no command %.40q", about.CommandPath(), rest[0])
			}
			if err != nil {
				return &exitError{exitUsage, polish(c.Root(), err)}
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

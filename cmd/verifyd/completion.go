package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newCompletion(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script of a shell",
		Long:  "Print a script that teaches a shell to complete verifyd's commands and flags.",
		Example: `  source <(verifyd completion bash)
  verifyd completion zsh > "${fpath[1]}/_verifyd"
  verifyd completion fish > ~/.config/fish/completions/verifyd.fish`,
		ValidArgs: shells,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shells, args[0]) {
				return nil
			}
			return fmt.Errorf("completion wants the name of a shell, %s; it got %.40q", strings.Join(shells, ", "), strings.Join(args, " "))
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(a.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(a.out)
			case "fish":
				return c.Root().GenFishCompletion(a.out, true)
			}
			return c.Root().GenPowerShellCompletionWithDesc(a.out)
		},
	}
}

// completes lets shells offer words for the value of a flag.
func completes(c *cobra.Command, flag string, words func() []string) {
	err := c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("verifyd: no flag " + flag + " to complete: " + err.Error())
	}
}

package main

import (
	"github.com/spf13/cobra"
)

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script of a shell",
		Long:  "Print a script that teaches a shell to complete verifyd's commands and flags.",
		Example: `  source <(verifyd completion bash)
  verifyd completion zsh > "${fpath[1]}/_verifyd"
  verifyd completion fish > ~/.config/fish/completions/verifyd.fish`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
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

package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Pair is an ask and a reply to it.
type Pair struct{ Prompt, Reply string }

// Score asks a scoring endpoint (BASE/score, as vLLM serves reward models and cross encoders) for one number a pair. The
// numbers come in the order of the pairs and are finite. Its errors are those of Chat.
func (c *Client) Score(ctx context.Context, pairs []Pair) ([]float64, Usage, error) {
	body := struct {
		Model   string   `json:"model"`
		Prompts []string `json:"text_1"`
		Replies []string `json:"text_2"`
	}{Model: c.config.Model}
	for _, p := range pairs {
		body.Prompts, body.Replies = append(body.Prompts, p.Prompt), append(body.Replies, p.Reply)
	}
	b, err := json.Marshal(body)
	if err != nil {
		return nil, Usage{}, fmt.Errorf("model: write the request: %w", err)
	}
	var scores []float64
	a, err := c.attempts(ctx, func(ctx context.Context) (a Answer, fault *Error) {
		g, _, fault := c.post(ctx, "/score", b)
		if fault != nil {
			return a, fault
		}
		defer g.close()
		text, err := io.ReadAll(g)
		if err != nil {
			return a, g.fault(err)
		}
		scores, a.Usage, fault = readScores(text, len(pairs))
		return a, fault
	})
	return scores, a.Usage, err
}

// readScores reads {"data": [{"index", "score"}…]}: each index once, each score finite.
func readScores(text []byte, n int) ([]float64, Usage, *Error) {
	var w struct {
		Data []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"score"`
		} `json:"data"`
		Usage Usage `json:"usage"`
	}
	bad := &Error{Kind: Malformed, wait: -1}
	if json.Unmarshal(text, &w) != nil || len(w.Data) != n {
		return nil, Usage{}, bad
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for i, d := range w.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= n || seen[i] || d.Score == nil || math.IsInf(*d.Score, 0) {
			return nil, Usage{}, bad
		}
		scores[i], seen[i] = *d.Score, true
	}
	return scores, Usage{Input: max(0, w.Usage.Input), Output: max(0, w.Usage.Output)}, nil
}

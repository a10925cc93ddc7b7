package model

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Config says which model is asked and how. Model is needed; the zero value of the rest works.
type Config struct {
	Model   string
	BaseURL string // up to and without /chat/completions; "" is OpenAI's
	KeyEnv  string // the environment variable that holds the key; "" is OPENAI_API_KEY for OpenAI and none elsewhere

	Concurrency int           // requests in flight, for all clients of an endpoint in a Pool; 0 is 8
	Attempts    int           // tries of a request; 0 is 4
	Timeout     time.Duration // of one try; 0 is 120 s
	Stall       time.Duration // the longest silence inside a streamed answer, its first token included; 0 is Timeout
	MaxWait     time.Duration // the longest wait between tries; a Retry-After beyond it ends the request. 0 is 60 s
	MaxAnswer   int64         // bytes of an answer; 0 is 4 MiB

	Budget   Budget
	Price    Price
	CacheDir string // a folder for answers; "" keeps none

	HTTP   *http.Client        // its redirects are not followed; nil is one of the pool
	Getenv func(string) string // nil is os.Getenv
}

// Budget bounds what a client spends over its life; zero is no bound. It is looked at before a request, so requests in
// flight may pass it.
type Budget struct {
	Tokens int64
	Cost   float64 // in the unit of Price
}

// Price is what a million tokens cost, in any unit.
type Price struct{ Input, Output float64 }

const (
	openAI    = "https://api.openai.com/v1"
	openAIKey = "OPENAI_API_KEY"
)

// Parse reads the short forms of a model: openai:NAME, and BASE-URL#NAME for an endpoint of one's own.
func Parse(name string) (Config, error) {
	if m, ok := strings.CutPrefix(name, "openai:"); ok && m != "" {
		return Config{Model: m}, nil
	}
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		base, m, ok := strings.Cut(name, "#")
		if !ok || m == "" {
			return Config{}, fmt.Errorf("model: a URL needs the model's name behind #: http://localhost:8000/v1#NAME")
		}
		return Config{Model: m, BaseURL: base}, nil
	}
	return Config{}, fmt.Errorf("model: want openai:NAME or URL#NAME, not %.40q", name)
}

// kin are lines of one maker under another name.
var kin = map[string]string{"mixtral": "mistral", "gemma": "gemini"}

// Family is the maker's name for a line of models, for the question whether two are related: gpt, llama, qwen; "" for none
// that is known.
func Family(name string) string {
	name = strings.ToLower(name)
	for _, f := range []string{"gpt", "claude", "gemini", "gemma", "llama", "qwen", "mistral", "mixtral", "deepseek", "phi", "command", "grok", "glm", "kimi", "olmo", "nemotron"} {
		if strings.Contains(name, f) {
			return cmp.Or(kin[f], f)
		}
	}
	return ""
}

func (c Config) withDefaults() (Config, error) {
	if c.Model == "" {
		return c, fmt.Errorf("model: no name of a model")
	}
	if c.BaseURL == "" {
		c.BaseURL = openAI
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return c, fmt.Errorf("model: the base URL must be http or https, without a user, query or fragment")
	}
	if c.KeyEnv == "" && c.BaseURL == openAI {
		c.KeyEnv = openAIKey
	}
	c.Concurrency, c.Attempts = or(c.Concurrency, 8), or(c.Attempts, 4)
	c.Timeout, c.MaxWait = or(c.Timeout, 120*time.Second), or(c.MaxWait, 60*time.Second)
	c.Stall, c.MaxAnswer = or(c.Stall, c.Timeout), or(c.MaxAnswer, 4<<20)
	if c.Concurrency < 0 || c.Attempts < 0 || c.Timeout < 0 || c.Stall < 0 || c.MaxWait < 0 || c.MaxAnswer < 0 || c.Budget.Tokens < 0 || c.Budget.Cost < 0 {
		return c, fmt.Errorf("model: a bound is negative")
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	return c, nil
}

func or[T int | int64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

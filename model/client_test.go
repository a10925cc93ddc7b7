package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// serve runs an endpoint and makes a client of it.
func serve(t *testing.T, c Config, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	c.Model, c.BaseURL = "m", server.URL
	m, err := new(Pool).Client(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const hello = `{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop", "logprobs": {"content": [{"token": "Hello", "logprob": -0.5}]}}], "usage": {"prompt_tokens": 1000, "completion_tokens": 500}}`

func ask(text string) Request {
	return Request{Messages: []Message{{Role: "user", Content: text}}}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, model, base string
		bad               bool
	}{
		{"openai:gpt-4.1-mini", "gpt-4.1-mini", "", false},
		{"http://localhost:8000/v1#org/name", "org/name", "http://localhost:8000/v1", false},
		{"http://localhost:8000/v1", "", "", true},
		{"openai:", "", "", true},
		{"gpt-4.1", "", "", true},
	} {
		got, err := Parse(c.name)
		if (err != nil) != c.bad || got.Model != c.model || got.BaseURL != c.base {
			t.Errorf("%s: got %q at %q, %v", c.name, got.Model, got.BaseURL, err)
		}
	}
	for _, base := range []string{"ftp://x", "http://user:secret@x/v1", "http://x/v1?key=1", "nothing"} {
		if _, err := new(Pool).Client(Config{Model: "m", BaseURL: base}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestFamily(t *testing.T) {
	for name, want := range map[string]string{"gpt-4.1": "gpt", "Mixtral-8x7B": "mistral", "gemma-3": "gemini", "Qwen/Qwen3-8B": "qwen", "own": ""} {
		if got := Family(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestAnswerCarriesUsageCostAndLogprobs(t *testing.T) {
	m := serve(t, Config{Price: Price{Input: 2, Output: 8}}, func(w http.ResponseWriter, r *http.Request) {
		var q map[string]any
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q["model"] != "m" || q["logprobs"] != true || r.Header.Get("Authorization") != "" {
			t.Errorf("asked %v with %v, %v", q, r.Header, err)
		}
		_, _ = io.WriteString(w, hello)
	})
	q := ask("Hi")
	q.Logprobs = true
	a, err := m.Chat(t.Context(), q)
	if err != nil || a.Text != "Hello" || a.Usage != (Usage{Input: 1000, Output: 500, Cost: 0.006, Attempts: 1}) || len(a.Logprobs) != 1 || a.Logprobs[0].Logprob != -0.5 {
		t.Errorf("got %+v, %v", a, err)
	}
	if m.Spent() != a.Usage {
		t.Errorf("spent %+v", m.Spent())
	}
}

func TestToolCallsOfAStreamAreJoined(t *testing.T) {
	m := serve(t, Config{}, func(w http.ResponseWriter, _ *http.Request) {
		for _, piece := range []string{
			`{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "get", "arguments": "{\"x\""}}]}}]}`,
			`{"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}}]}`,
			`{"choices": [{"delta": {"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "put", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]}`,
		} {
			_, _ = io.WriteString(w, "data: "+piece+"\n\n")
		}
	})
	q := ask("Hi")
	q.Stream = true
	a, err := m.Chat(t.Context(), q)
	if err != nil || len(a.ToolCalls) != 2 || a.ToolCalls[0].Function.Arguments != `{"x": 1}` || a.ToolCalls[1].Function.Name != "put" {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	for _, c := range []struct {
		name, after string
		tries       int64
		least       time.Duration
		kind        Kind
	}{
		{"seconds", "0.3", 2, 300 * time.Millisecond, ""},
		{"none", "", 2, 100 * time.Millisecond, ""},
		{"longer than one may wait", "3600", 1, 0, RateLimited},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int64
			m := serve(t, Config{MaxWait: 5 * time.Second}, func(w http.ResponseWriter, _ *http.Request) {
				if n.Add(1) == 1 {
					if c.after != "" {
						w.Header().Set("Retry-After", c.after)
					}
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				_, _ = io.WriteString(w, hello)
			})
			start := time.Now()
			_, err := m.Chat(t.Context(), ask("Hi"))
			var e *Error
			if errors.As(err, &e) != (c.kind != "") || e != nil && e.Kind != c.kind {
				t.Errorf("got %v", err)
			}
			if n.Load() != c.tries || time.Since(start) < c.least {
				t.Errorf("%d tries in %v", n.Load(), time.Since(start))
			}
		})
	}
}

func TestBudgetStops(t *testing.T) {
	m := serve(t, Config{Budget: Budget{Tokens: 1500}}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, hello) })
	if _, err := m.Chat(t.Context(), ask("one")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Chat(t.Context(), ask("two")); !errors.Is(err, ErrBudget) {
		t.Errorf("got %v", err)
	}
}

func TestCacheAnswersAgain(t *testing.T) {
	dir := t.TempDir()
	var n atomic.Int64
	m := serve(t, Config{CacheDir: dir}, func(w http.ResponseWriter, _ *http.Request) { n.Add(1); _, _ = io.WriteString(w, hello) })
	for range 2 {
		if a, err := m.Chat(t.Context(), ask("secret words")); err != nil || a.Text != "Hello" {
			t.Fatal(a, err)
		}
	}
	a, _ := m.Chat(t.Context(), ask("secret words"))
	if n.Load() != 1 || a.Usage != (Usage{Cached: 1}) {
		t.Errorf("%d requests, usage %+v", n.Load(), a.Usage)
	}
	if _, err := m.Chat(t.Context(), ask("other words")); err != nil || n.Load() != 2 {
		t.Errorf("another question was answered from the cache: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, f := range files {
		if b, err := os.ReadFile(f); err != nil || strings.Contains(f+string(b), "secret") || len(filepath.Base(f)) != 64+len(".json") {
			t.Errorf("%s: %s, %v", f, b, err)
		}
	}
}

func TestNoKeyIsNoRequest(t *testing.T) {
	m := serve(t, Config{KeyEnv: "VERIFYD_TEST_KEY", Getenv: func(string) string { return "" }}, func(http.ResponseWriter, *http.Request) { t.Error("asked without a key") })
	_, err := m.Chat(t.Context(), ask("Hi"))
	var e *Error
	if !errors.As(err, &e) || e.Kind != NoKey {
		t.Errorf("got %v", err)
	}
}

func TestContextEndsWaiting(t *testing.T) {
	m := serve(t, Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := m.Chat(ctx, ask("Hi")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

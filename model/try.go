package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// post sends one request and returns its body, which is open and ends with an error beyond MaxAnswer or after a silence.
func (c *Client) post(ctx context.Context, path string, body []byte) (*guarded, string, *Error) {
	key, fault := c.key()
	if fault != nil {
		return nil, "", fault
	}
	ctx, cancel := context.WithCancel(ctx)
	g := &guarded{left: c.config.MaxAnswer, stall: c.config.Stall, cancel: cancel}
	g.timer = time.AfterFunc(c.config.Stall, func() { g.stalled.Store(true); cancel() })
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		g.close()
		return nil, "", &Error{Kind: Unreachable, wait: -1, permanent: true}
	}
	q.Header.Set("Content-Type", "application/json")
	if key != "" {
		q.Header.Set("Authorization", "Bearer "+key)
	}
	r, err := c.http.Do(q)
	if err != nil {
		g.close()
		return nil, "", g.fault(err)
	}
	g.body = r.Body
	if r.StatusCode == http.StatusOK {
		return g, key, nil
	}
	defer g.close()
	return nil, "", refused(r, g)
}

// refused is the fault of an answer that is not 200.
func refused(r *http.Response, body io.Reader) *Error {
	e := &Error{Kind: HTTPStatus, Status: r.StatusCode, wait: retryAfter(r.Header.Get("Retry-After"))}
	var w wireAnswer
	if b, err := io.ReadAll(io.LimitReader(body, 64<<10)); err == nil && json.Unmarshal(b, &w) == nil {
		e.Code = codeOf(w.Error)
	}
	switch s := r.StatusCode; {
	case s == http.StatusTooManyRequests:
		e.Kind, e.permanent = RateLimited, e.Code == "insufficient_quota"
	case s == http.StatusRequestTimeout || s == http.StatusConflict || s == http.StatusTooEarly || s >= 500:
	default:
		e.permanent = true
	}
	return e
}

// retryAfter reads seconds or a date; -1 where there is neither.
func retryAfter(h string) time.Duration {
	if s, err := strconv.ParseFloat(h, 64); err == nil && s >= 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(h); err == nil {
		return max(0, time.Until(at))
	}
	return -1
}

// guarded is a body that ends in time and in size.
type guarded struct {
	body    io.ReadCloser
	left    int64
	large   bool
	stall   time.Duration
	timer   *time.Timer
	stalled atomic.Bool
	cancel  context.CancelFunc
}

func (g *guarded) Read(p []byte) (int, error) {
	if g.left <= 0 {
		g.large = true
		return 0, io.ErrUnexpectedEOF
	}
	n, err := g.body.Read(p[:min(int64(len(p)), g.left)])
	g.left -= int64(n)
	if n > 0 {
		g.timer.Reset(g.stall)
	}
	return n, err
}

func (g *guarded) close() {
	g.timer.Stop()
	g.cancel()
	if g.body != nil {
		_ = g.body.Close() // what was read counts
	}
}

// fault names what ended a read.
func (g *guarded) fault(err error) *Error {
	switch {
	case g.large:
		return &Error{Kind: TooLarge, wait: -1, permanent: true} // it would be as large again, and paid for again
	case g.stalled.Load() || isTimeout(err):
		return &Error{Kind: Stalled, wait: -1}
	}
	return &Error{Kind: Unreachable, wait: -1}
}

// try asks once.
func (c *Client) try(ctx context.Context, path string, body []byte, stream bool) (Answer, *Error) {
	g, key, fault := c.post(ctx, path, body)
	if fault != nil {
		return Answer{}, fault
	}
	defer g.close()
	read := readWhole
	if stream {
		read = readStream
	}
	a, fault := read(g)
	if fault != nil {
		return a, fault
	}
	if a.Text == "" && a.Refusal == "" && len(a.ToolCalls) == 0 {
		return a, &Error{Kind: Empty, wait: -1}
	}
	return a.without(key), nil
}

// without takes the key out of what an endpoint echoes.
func (a Answer) without(key string) Answer {
	if key != "" {
		a.Text, a.Refusal = strings.ReplaceAll(a.Text, key, "<key>"), strings.ReplaceAll(a.Refusal, key, "<key>")
		for i := range a.ToolCalls {
			f := &a.ToolCalls[i].Function
			f.Arguments = strings.ReplaceAll(f.Arguments, key, "<key>")
		}
	}
	return a
}

func readWhole(g *guarded) (Answer, *Error) {
	b, err := io.ReadAll(g)
	if err != nil {
		return Answer{}, g.fault(err)
	}
	var w wireAnswer
	if json.Unmarshal(b, &w) != nil {
		return Answer{}, &Error{Kind: Malformed, wait: -1}
	}
	var a Answer
	if fault := a.take(&w); fault != nil {
		return a, fault
	}
	return a, nil
}

// readStream joins the chunks of server-sent events. A stream that ends without [DONE] or a finish reason was cut.
func readStream(g *guarded) (Answer, *Error) {
	var a Answer
	lines := bufio.NewReader(g)
	for {
		line, err := lines.ReadBytes('\n')
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if data = bytes.TrimSpace(data); ok && string(data) == "[DONE]" {
			return a, nil
		}
		if ok && len(data) > 0 {
			var w wireAnswer
			if json.Unmarshal(data, &w) != nil {
				return a, &Error{Kind: Malformed, wait: -1}
			}
			if fault := a.take(&w); fault != nil {
				return a, fault
			}
		}
		switch {
		case err == io.EOF && a.Finish != "":
			return a, nil
		case err == io.EOF:
			return a, &Error{Kind: Malformed, wait: -1}
		case err != nil:
			return a, g.fault(err)
		}
	}
}

// take adds a completion or a chunk. Of several choices the first counts: no more are asked for.
func (a *Answer) take(w *wireAnswer) *Error {
	if w.Error != nil {
		return &Error{Kind: HTTPStatus, Status: http.StatusOK, Code: codeOf(w.Error), wait: -1}
	}
	if w.Usage != nil {
		a.Usage.Input, a.Usage.Output = max(0, w.Usage.Input), max(0, w.Usage.Output)
	}
	if len(w.Choices) == 0 {
		return nil
	}
	choice := w.Choices[0]
	if choice.Finish != "" {
		a.Finish = choice.Finish
	}
	if choice.Logprobs != nil {
		a.Logprobs = append(a.Logprobs, choice.Logprobs.Content...)
	}
	m := choice.Message
	if m == nil {
		m = choice.Delta
	}
	if m == nil {
		return nil
	}
	if m.Content != nil {
		a.Text += *m.Content
	}
	if m.Refusal != nil {
		a.Refusal += *m.Refusal
	}
	for _, call := range m.ToolCalls {
		a.takeCall(call)
	}
	return nil
}

// takeCall adds a tool call, or the next piece of the one with its index.
func (a *Answer) takeCall(w wireToolCall) {
	if w.Index == nil || *w.Index >= len(a.ToolCalls) || *w.Index < 0 {
		a.ToolCalls = append(a.ToolCalls, w.ToolCall)
		return
	}
	call := &a.ToolCalls[*w.Index]
	call.Function.Name += w.Function.Name
	call.Function.Arguments += w.Function.Arguments
}

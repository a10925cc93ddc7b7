package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Pool makes clients that share connections and, for each endpoint, the bound on requests in flight. The zero value works.
// Safe for concurrent use.
type Pool struct {
	mu        sync.Mutex
	endpoints map[string]chan struct{}
	http      *http.Client
}

// Client asks one model. Safe for concurrent use.
type Client struct {
	config Config
	places chan struct{}
	http   *http.Client

	mu    sync.Mutex
	spent Usage
}

// Client makes a client. The first client of an endpoint decides how many requests are in flight there.
func (p *Pool) Client(c Config) (*Client, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.http == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		p.http = &http.Client{Transport: t}
		p.endpoints = map[string]chan struct{}{}
	}
	places, ok := p.endpoints[c.BaseURL]
	if !ok {
		places = make(chan struct{}, c.Concurrency)
		p.endpoints[c.BaseURL] = places
	}
	plain := *p.http
	if c.HTTP != nil {
		plain = *c.HTTP
	}
	// A redirect would carry the key and the row to a place that nobody named.
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{config: c, places: places, http: &plain}, nil
}

// Model is the name of the model.
func (c *Client) Model() string { return c.config.Model }

// Spent is what the client has used since it was made.
func (c *Client) Spent() Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent
}

// Chat asks the model. Its error is ErrBudget, the context's, or an *Error.
func (c *Client) Chat(ctx context.Context, q Request) (Answer, error) {
	body, err := c.body(q)
	if err != nil {
		return Answer{}, err
	}
	name := cacheName(c.config.BaseURL, body)
	if a, ok := c.cached(name); ok {
		return a, nil
	}
	a, err := c.attempts(ctx, func(ctx context.Context) (Answer, *Error) { return c.try(ctx, "/chat/completions", body, q.Stream) })
	if err == nil {
		c.keep(name, a)
	}
	return a, err
}

func (c *Client) body(q Request) ([]byte, error) {
	type named struct {
		Model string `json:"model"`
		Request
		Options map[string]bool `json:"stream_options,omitempty"`
	}
	n := named{Model: c.config.Model, Request: q}
	if q.Stream {
		n.Options = map[string]bool{"include_usage": true}
	}
	b, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("model: write the request: %w", err)
	}
	return b, nil
}

// attempts tries until there is an answer. A place at the endpoint is held during a try and given back while waiting.
func (c *Client) attempts(ctx context.Context, try func(context.Context) (Answer, *Error)) (Answer, error) {
	for n := 1; ; n++ {
		if err := c.affordable(); err != nil {
			return Answer{}, err
		}
		select {
		case c.places <- struct{}{}:
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
		a, fault := c.once(ctx, try)
		if fault == nil {
			a.Usage.Attempts = n
			c.spend(&a.Usage)
			return a, nil
		}
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		fault.Attempts = n
		wait := c.pause(n, fault)
		if fault.permanent || n >= c.config.Attempts || wait > c.config.MaxWait {
			return Answer{}, fault
		}
		if err := sleep(ctx, wait); err != nil {
			return Answer{}, err
		}
	}
}

func (c *Client) once(ctx context.Context, try func(context.Context) (Answer, *Error)) (Answer, *Error) {
	defer func() { <-c.places }()
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	return try(ctx)
}

// firstPause is what a request waits after its first failure where the endpoint does not say; it doubles. Half of it is by
// chance, so that requests which failed together do not come back together. Chosen by feel.
const firstPause = 200 * time.Millisecond

func (c *Client) pause(n int, fault *Error) time.Duration {
	if fault.wait >= 0 {
		return fault.wait
	}
	d := min(firstPause<<min(n-1, 10), c.config.MaxWait)
	return d/2 + rand.N(d/2+1)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) affordable() error {
	spent, b := c.Spent(), c.config.Budget
	if b.Tokens > 0 && spent.Input+spent.Output >= b.Tokens || b.Cost > 0 && spent.Cost >= b.Cost {
		return fmt.Errorf("model: %w", ErrBudget)
	}
	return nil
}

func (c *Client) spend(u *Usage) {
	u.Cost = (float64(u.Input)*c.config.Price.Input + float64(u.Output)*c.config.Price.Output) / 1e6
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent.Add(*u)
}

// key is the endpoint's key; "" where it needs none.
func (c *Client) key() (string, *Error) {
	if c.config.KeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(c.config.Getenv(c.config.KeyEnv))
	if key == "" {
		return "", &Error{Kind: NoKey, permanent: true}
	}
	return key, nil
}

// isTimeout: the try's own time was used up.
func isTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

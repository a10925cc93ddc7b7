package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// HTTPConfig says where an endpoint is and how it is asked. Only URL is needed.
type HTTPConfig struct {
	URL         string        // http or https, without user information
	Key         string        // sent as a bearer token; empty: none
	Timeout     time.Duration // one attempt; 0 means a minute
	Attempts    int           // 1 to 10; 0 means 4
	Concurrency int           // requests at once; 0 means 16
	Privileged  bool          // the row's privileged part is sent, too
	Public      bool          // only public addresses are called: for a URL that a stranger named
	Scale       judge.Scale   // of its ratings; zero means rewards
}

// HTTP is a judge behind an endpoint: a POST of {"row", "candidate", "reference"}, whose answer with status 200 to 299 is
// whatever the judge contract takes. Safe for concurrent use.
type HTTP struct {
	config HTTPConfig
	client *http.Client
	places chan struct{}
}

// NewHTTP checks the configuration.
func NewHTTP(c HTTPConfig) (*HTTP, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the URL must be an http or https address")
	}
	if u.User != nil {
		return nil, errors.New("the URL must not hold a user or password")
	}
	if c.Timeout < 0 || c.Attempts < 0 || c.Attempts > 10 || c.Concurrency < 0 || c.Concurrency > 1024 {
		return nil, errors.New("want a timeout of 0 or more, at most 10 attempts and 1024 requests at once")
	}
	if err := c.Scale.Validate(); err != nil {
		return nil, err
	}
	c.Timeout = orElse(c.Timeout, time.Minute)
	c.Attempts = orElse(c.Attempts, 4)
	c.Concurrency = orElse(c.Concurrency, 16)
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	transport := &http.Transport{
		DialContext: dialer.DialContext, MaxIdleConnsPerHost: c.Concurrency, IdleConnTimeout: 30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10, DisableCompression: true, TLSHandshakeTimeout: 10 * time.Second,
	}
	if c.Public {
		dialer.Control = publicOnly
	} else {
		transport.Proxy = http.ProxyFromEnvironment
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return &HTTP{c, client, make(chan struct{}, c.Concurrency)}, nil
}

func orElse[T comparable](x, otherwise T) T {
	var zero T
	if x == zero {
		return otherwise
	}
	return x
}

// Judge asks the endpoint, again where it is busy or cannot be reached.
func (h *HTTP) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	select {
	case h.places <- struct{}{}:
		defer func() { <-h.places }()
	case <-ctx.Done():
		return judge.Verdict{}, ctx.Err()
	}
	body := appendQuestion(nil, r, "", h.config.Privileged)
	clean := cleaner{r, []string{h.config.Key}}
	for try := 1; ; try++ {
		answer, wait, err := h.ask(ctx, body)
		if err == nil {
			var returned any
			if err := decode(answer, &returned); err != nil {
				return judge.Verdict{}, notVerdict("the endpoint answered %v", err)
			}
			return clean.verdict(returned, h.config.Scale), nil
		}
		if wait < 0 || try == h.config.Attempts || ctx.Err() != nil {
			return judge.Verdict{}, err
		}
		if err := pause(ctx, max(wait, backoff(try))); err != nil {
			return judge.Verdict{}, err
		}
	}
}

// never says that another attempt is of no use.
const never = time.Duration(-1)

// ask makes one attempt. Errors quote nothing of the answer.
func (h *HTTP) ask(ctx context.Context, body []byte) (answer []byte, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.config.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, never, errors.New("the request cannot be made")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if h.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+h.config.Key)
	}
	response, err := h.client.Do(request)
	if err != nil {
		return nil, waitAfter(err), transportFault(ctx, err)
	}
	defer func() { _ = response.Body.Close() }() // what is left unread is dropped with the connection
	if s := response.StatusCode; s < 200 || s > 299 {
		return nil, waitOf(response), fmt.Errorf("the endpoint answered with status %d", s)
	}
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, 0, transportFault(ctx, err)
	case len(answer) > maxAnswer:
		return nil, never, notVerdict("the endpoint answered more than %d bytes", maxAnswer)
	}
	return answer, 0, nil
}

func waitAfter(err error) time.Duration {
	if errors.Is(err, errPrivate) {
		return never
	}
	return 0
}

// transportFault is a failed request without its URL, which may hold what must not be seen.
func transportFault(ctx context.Context, err error) error {
	var dns *net.DNSError
	var timed interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errPrivate):
		return errPrivate
	case errors.As(err, &dns):
		return errors.New("the endpoint's host is not known")
	case errors.As(err, &timed) && timed.Timeout():
		return context.DeadlineExceeded
	}
	return errors.New("the endpoint cannot be reached, or cut its answer off")
}

// waitOf is how long the endpoint asks to be left alone, or never where the same question would fail again.
func waitOf(r *http.Response) time.Duration {
	switch r.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return never
	}
	after := r.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil {
		return min(max(time.Duration(seconds), 0), maxWait/time.Second) * time.Second
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(time.Until(at), 0), maxWait)
	}
	return 0
}

// maxWait bounds what an endpoint can make a row wait between two attempts.
const maxWait = time.Minute

// backoff doubles from a quarter of a second.
func backoff(try int) time.Duration { return 250 * time.Millisecond << (try - 1) }

// pause waits, or says at once that the deadline comes first.
func pause(ctx context.Context, d time.Duration) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package verifiers

import (
	"strings"
	"sync"

	"github.com/verifyd/verifyd/mathcheck"
)

// goldCache keeps compiled references: the rows of a rollout group come close together and share theirs. What it holds
// never changes a verdict, as compiling has one outcome and a compiled reference is immutable.
type goldCache struct {
	mu     sync.Mutex // guards golds
	golds  map[string]*mathcheck.Gold
	length int // bytes of the keys
}

// Bounds of a goldCache. When one is reached everything is dropped: a group that is cut in two costs one compilation.
const (
	maxCachedGolds     = 512
	maxCachedGoldBytes = 64 << 10
)

// compile is mathcheck.CompileAny through the cache.
func (c *goldCache) compile(golds []string, opt mathcheck.Options) (*mathcheck.Gold, error) {
	key := golds[0]
	if len(golds) > 1 {
		key = strings.Join(golds, "\x00")
	}
	c.mu.Lock()
	g := c.golds[key]
	c.mu.Unlock()
	if g != nil {
		return g, nil
	}
	g, err := mathcheck.CompileAny(golds, opt)
	if err != nil || len(key) > maxCachedGoldBytes/8 {
		return g, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.golds) >= maxCachedGolds || c.length+len(key) > maxCachedGoldBytes || c.golds == nil {
		c.golds, c.length = make(map[string]*mathcheck.Gold), 0
	}
	if c.golds[key] == nil {
		c.length += len(key)
	}
	c.golds[key] = g
	return g, nil
}

package stats

import "math"

// Random draws the same numbers as Python's random.Random with the same whole-number seed, so that intervals and samples made
// here and by a program in Python are equal digit by digit. It is not for concurrent use.
//
// The generator is MT19937, seeded by init_by_array with the 32-bit words of the seed: M. Matsumoto, T. Nishimura, "Mersenne
// Twister: a 623-dimensionally equidistributed uniform pseudo-random number generator", ACM TOMACS 8 (1998), 3-30.
type Random struct {
	state [mtSize]uint32
	next  int
}

const (
	mtSize  = 624
	mtShift = 397
	mtUpper = 0x80000000
	mtLower = 0x7fffffff
)

// NewRandom returns a generator for a seed. As in Python, the sign of the seed does not matter.
func NewRandom(seed int64) *Random {
	u := uint64(seed)
	if seed < 0 {
		u = -u
	}
	key := []uint32{uint32(u)}
	if u>>32 != 0 {
		key = append(key, uint32(u>>32))
	}
	r := &Random{next: mtSize}
	r.seedWord(19650218)
	r.seedWords(key)
	return r
}

func (r *Random) seedWord(s uint32) {
	r.state[0] = s
	for i := 1; i < mtSize; i++ {
		p := r.state[i-1]
		r.state[i] = 1812433253*(p^p>>30) + uint32(i)
	}
}

func (r *Random) seedWords(key []uint32) {
	i, j := 1, 0
	step := func() {
		if i++; i >= mtSize {
			r.state[0], i = r.state[mtSize-1], 1
		}
	}
	for range max(mtSize, len(key)) {
		p := r.state[i-1]
		r.state[i] = (r.state[i] ^ (p^p>>30)*1664525) + key[j] + uint32(j)
		step()
		j = (j + 1) % len(key)
	}
	for range mtSize - 1 {
		p := r.state[i-1]
		r.state[i] = (r.state[i] ^ (p^p>>30)*1566083941) - uint32(i)
		step()
	}
	r.state[0] = mtUpper
}

// Uint32 is a word of 32 random bits.
func (r *Random) Uint32() uint32 {
	if r.next >= mtSize {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (r *Random) twist() {
	for i := range mtSize {
		y := r.state[i]&mtUpper | r.state[(i+1)%mtSize]&mtLower
		v := r.state[(i+mtShift)%mtSize] ^ y>>1
		if y&1 != 0 {
			v ^= 0x9908b0df
		}
		r.state[i] = v
	}
	r.next = 0
}

// Float64 is in [0, 1), with 53 random bits.
func (r *Random) Float64() float64 {
	a, b := r.Uint32()>>5, r.Uint32()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// Intn is in [0, n), for 0 < n < 2^32: the top bits of a word, drawn again until they are below n.
func (r *Random) Intn(n int) int {
	bits := uint(0)
	for v := n; v != 0; v >>= 1 {
		bits++
	}
	for {
		if v := int(r.Uint32() >> (32 - bits)); v < n {
			return v
		}
	}
}

// Shuffle mixes n things (Fisher-Yates, from the end); swap exchanges two of them.
func (r *Random) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.Intn(i+1))
	}
}

// Sample draws k of n indices without replacement, in the order in which Python's sample draws them; 0 <= k <= n.
func (r *Random) Sample(n, k int) []int {
	picked := make([]int, k)
	small := 21
	if k > 5 {
		small += int(math.Pow(4, math.Ceil(math.Log(float64(k*3))/math.Log(4))))
	}
	if n <= small {
		pool := make([]int, n)
		for i := range pool {
			pool[i] = i
		}
		for i := range k {
			j := r.Intn(n - i)
			picked[i], pool[j] = pool[j], pool[n-i-1]
		}
		return picked
	}
	seen := make(map[int]bool, k)
	for i := range k {
		j := r.Intn(n)
		for seen[j] {
			j = r.Intn(n)
		}
		seen[j], picked[i] = true, j
	}
	return picked
}

package remote

import (
	"errors"
	"net/netip"
	"syscall"
)

var errPrivate = errors.New("the endpoint's address is not public")

// closed are ranges that netip does not name and that are not the public Internet: shared, protocol, test and benchmark
// addresses (RFC 6890), and the prefixes that carry an IPv4 address inside (RFC 6052, 3056, 4380).
var closed = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2001::/32"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("::/96"),
}

// publicOnly is asked with the address that a name led to, right before the connection: a name that changes its address
// between a check and the call gains nothing.
func publicOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !public(at.Addr().Unmap()) {
		return errPrivate
	}
	return nil
}

func public(a netip.Addr) bool {
	a = a.WithZone("")
	for _, p := range closed {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast()
}

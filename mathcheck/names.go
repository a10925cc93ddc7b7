package mathcheck

// action says what the lexer does with a command or a plain name.
type action struct {
	kind actKind
	s    string
}

type actKind uint8

const (
	aDrop    actKind = iota // layout: leaves no trace
	aDropArg                // layout with an argument
	aText                   // \text and the like
	aDelim                  // \left, \right, \big
	aEnv                    // \begin, \end
	aOpen
	aClose
	aSym
	aFn
	aOp
	aCmd
	aWord
	aBad
)

func (k actKind) token() tokKind {
	switch k {
	case aSym:
		return tSym
	case aFn:
		return tFn
	case aOp:
		return tOp
	case aCmd:
		return tCmd
	case aWord:
		return tWord
	}
	return tBad
}

var commands, plainNames = buildNames()

func buildNames() (map[string]action, map[string]action) {
	c, p := map[string]action{}, map[string]action{}
	put := func(m map[string]action, k actKind, names ...string) {
		for _, n := range names {
			m[n] = action{k, n}
		}
	}
	put(c, aDrop, "quad", "qquad", "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "hfill", "nonumber", "notag", "bf", "rm", "it", "large", "Large", "centering",
		"thinspace", "medspace", "enspace", "space", "negthinspace", "allowbreak", "relax", "small", "noindent", "smallskip", "par", "hline", "therefore", "because", "newline", "LARGE", "huge", "normalsize", "cr", "boxed", "fbox", "underline", "uline", "mathop", "mathord", "mathbin", "vec", "overrightarrow", "widehat", "hat", "tilde", "widetilde", "ensuremath", "framebox", "checkmark", "blacksquare")
	put(c, aDropArg, "color", "textcolor", "hspace", "vspace", "label", "tag", "phantom", "hphantom", "vphantom", "mspace", "kern", "hskip")
	put(c, aText, "text", "textbf", "textit", "textrm", "textsf", "texttt", "textnormal", "mbox", "hbox", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "operatorname",
		"emph", "boldsymbol", "bm", "mathcal", "mathscr", "mathfrak", "textup", "textmd", "colorbox", "unit", "si", "pmb")
	put(c, aDelim, "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "bigm", "middle")
	put(c, aEnv, "begin", "end")
	put(c, aBad, "cancel", "bcancel", "xcancel", "not", "oint", "iint", "iiint", "nabla", "forall", "exists", "neg", "newcommand", "def", "href", "url", "includegraphics", "underbrace", "overbrace", "stackrel", "overset", "underset", "substack", "permil", "perp", "parallel", "subset", "subseteq", "sim", "rightleftharpoons")
	put(c, aSym, "pi", "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega",
		"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "ell", "hbar", "aleph", "partial", "angle", "triangle", "square")
	for k, v := range map[string]string{"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho", "varsigma": "sigma", "imath": "i", "measuredangle": "angle", "infty": "inf", "infin": "inf"} {
		c[k] = action{aSym, v}
	}
	put(c, aFn, "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arccot", "arcsec", "arccsc", "sinh", "cosh", "tanh", "coth", "ln", "log", "lg", "exp", "gcd", "lcm", "min", "max", "det", "arg", "Re", "Im", "deg", "dim", "sgn", "sech", "csch", "cis")
	for k, v := range map[string]string{"frac": "frac", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "sfrac": "frac", "nicefrac": "frac", "flatfrac": "frac", "sqrt": "sqrt", "surd": "sqrt", "binom": "binom", "dbinom": "binom", "tbinom": "binom", "sum": "sum", "prod": "prod",
		"int": "int", "lim": "lim", "overline": "bar", "bar": "bar", "mathbb": "bb", "Bbb": "bb", "pmod": "pmod", "bmod": "mod", "mod": "mod", "abs": "abs", "norm": "abs"} {
		c[k] = action{aCmd, v}
	}
	for k, v := range map[string]string{"cdot": "*", "times": "*", "ast": "*", "div": "div", "pm": "pm", "mp": "mp", "le": "<=", "leq": "<=", "leqslant": "<=", "leqq": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "geqq": ">=",
		"lt": "<", "gt": ">", "ne": "!=", "neq": "!=", "approx": "~", "simeq": "~", "cong": "~", "thickapprox": "~", "in": "in", "notin": "notin", "cup": "cup", "bigcup": "cup", "cap": "cap", "setminus": "setminus", "backslash": "setminus", "to": "to", "rightarrow": "to", "longrightarrow": "to", "mapsto": "to",
		"colon": ":", "over": "over", "choose": "choose", "prime": "'", "degree": "deg", "circ": "circ", "ldots": "dots", "dots": "dots", "cdots": "dots", "dotsc": "dots", "dotsb": "dots", "vdots": "dots", "vert": "|", "mvert": "|", "mid": "|", "lvert": "|", "rvert": "|", "Vert": "|", "lVert": "|", "rVert": "|", "land": "and", "lor": "or", "wedge": "and", "vee": "or", "equiv": "equiv", "doteq": "=", "triangleq": "=", "comma": ",",
		"implies": "implies", "iff": "implies", "Rightarrow": "implies", "Leftrightarrow": "implies", "Longrightarrow": "implies", "Longleftrightarrow": "implies"} {
		c[k] = action{aOp, v}
	}
	for k, v := range map[string]string{"lbrace": `\{`, "langle": "<", "lfloor": "floor", "lceil": "ceil", "lbrack": "[", "lparen": "("} {
		c[k] = action{aOpen, v}
	}
	for k, v := range map[string]string{"rbrace": `\}`, "rangle": ">", "rfloor": "floor", "rceil": "ceil", "rbrack": "]", "rparen": ")"} {
		c[k] = action{aClose, v}
	}
	c["emptyset"], c["varnothing"] = action{aCmd, "empty"}, action{aCmd, "empty"}
	for k, v := range map[string]string{"pounds": "£", "euro": "€", "textdollar": "$", "dollar": "$", "yen": "¥"} {
		c[k] = action{aOp, v}
	}
	for _, k := range [...]string{"R", "Z", "Q", "N", "C"} {
		c[k] = action{aCmd, "set" + k}
	}
	c["reals"] = action{aCmd, "setR"}

	put(p, aFn, "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "ln", "log", "exp", "gcd", "lcm", "max", "min", "floor", "ceil", "factorial", "abs", "cis", "cbrt")
	for k, v := range map[string]string{"asin": "arcsin", "acos": "arccos", "atan": "arctan", "ceiling": "ceil"} {
		p[k] = action{aFn, v}
	}
	for k, v := range map[string]string{"tg": "tan", "ctg": "cot", "cotg": "cot", "arctg": "arctan", "arcctg": "arccot"} {
		c[k], p[k] = action{aFn, v}, action{aFn, v}
	}
	put(p, aSym, "pi", "alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "sigma", "omega", "phi", "Delta", "Pi")
	p["inf"], p["oo"], p["infinity"], p["infty"] = action{aSym, "inf"}, action{aSym, "inf"}, action{aSym, "inf"}, action{aSym, "inf"}
	for k, v := range map[string]string{"frac": "frac", "dfrac": "frac", "sqrt": "sqrt", "binom": "binom", "mod": "mod"} {
		p[k] = action{aCmd, v}
	}
	for k, v := range map[string]string{"cdot": "*", "times": "*", "pm": "pm", "leq": "<=", "geq": ">=", "neq": "!="} {
		p[k] = action{aOp, v}
	}
	return c, p
}

// shortWords are runs of two and three letters (and a few capitals) that are prose, not products.
var shortWords = set("no", "yes", "odd", "the", "is", "of", "per", "day", "men", "man", "all", "not", "dne", "to", "be", "by", "it", "its", "for", "way", "sum", "one", "two", "six", "ten", "are", "was", "has", "had", "he", "she",
	"we", "us", "our", "you", "his", "her", "can", "but", "so", "at", "on", "if", "as", "an", "any", "how", "mrs", "mr", "ms", "red", "boy", "bob", "tom", "ann", "jim", "joe", "sam", "dan", "ted", "kim", "amy", "eve", "may", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
	"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "nan", "yen", "pct", "old", "new", "pen", "car", "egg", "hen", "cow", "pig", "dog", "cat", "bag", "box", "cup", "top", "even", "true", "from", "does", "none", "east", "west", "none", "left", "with", "than", "that", "this", "then", "they", "them", "only", "both",
	"age", "bus", "net", "tax", "toy", "fun", "kid", "low", "hat", "pie", "cm", "mm", "km", "kg", "lb", "lbs", "mph", "ft", "usd", "eur", "hrs", "hr", "i'm", "rs")

// plainUnits are unit names that count as units outside \text when they stand right behind a value.
var plainUnits = set("cm", "mm", "km", "kg", "mg", "ft", "in", "yd", "mi", "lb", "lbs", "oz", "hr", "hrs", "min", "mins", "sec", "secs", "mph", "kph", "km/h", "cc", "ml", "mL", "kW", "kWh", "Hz", "kHz", "MHz", "Pa", "kPa", "USD", "EUR", "GBP", "mol", "rad", "deg", "nm", "um", "ms", "kJ", "kN", "MB", "GB", "TB", "KB", "dl", "dL", "cl", "cL", "ha", "am", "pm", "sq")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

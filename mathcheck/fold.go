package mathcheck

import (
	"strings"
	"unicode/utf8"
)

// fold rewrites the Unicode that people and models use for mathematics into ASCII LaTeX, so that everything after it
// knows one spelling. Invisible characters vanish; letters of other scripts stay as they are and count as words.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var script byte // '^' or '_' while inside a run of raised or lowered digits
	for _, r := range s {
		kind, c := scriptRune(r)
		if script != 0 && kind != script {
			b.WriteByte('}')
			script = 0
		}
		switch {
		case kind != 0:
			if script == 0 {
				b.WriteByte(kind)
				b.WriteByte('{')
				script = kind
			}
			b.WriteByte(c)
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		default:
			foldRune(&b, r)
		}
	}
	if script != 0 {
		b.WriteByte('}')
	}
	return b.String()
}

// mathLetter reports the styled Latin and Greek letters of mathematics, which are no script of their own.
func mathLetter(r rune) bool { return r >= 0x1D400 && r <= 0x1D7FF }

func foldRune(b *strings.Builder, r rune) {
	if t, ok := foldTable[r]; ok {
		b.WriteString(t)
		return
	}
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full-width forms
		b.WriteByte(byte(r - 0xFEE0))
	case r >= 0x1D7CE && r <= 0x1D7FF: // mathematical digits
		b.WriteByte(byte('0' + (r-0x1D7CE)%10))
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters: 26 capitals and 26 small ones per style
		k := (r - 0x1D400) % 52
		if k < 26 {
			b.WriteByte(byte('A' + k))
		} else {
			b.WriteByte(byte('a' + k - 26))
		}
	case r >= 0x0660 && r <= 0x0669:
		b.WriteByte(byte('0' + r - 0x0660))
	case r >= 0x06F0 && r <= 0x06F9:
		b.WriteByte(byte('0' + r - 0x06F0))
	case r >= 0x0966 && r <= 0x096F:
		b.WriteByte(byte('0' + r - 0x0966))
	case r >= 0x09E6 && r <= 0x09EF:
		b.WriteByte(byte('0' + r - 0x09E6))
	case r >= 0x2000 && r <= 0x200A:
		b.WriteByte(' ')
	case r == utf8.RuneError:
	default:
		b.WriteRune(r)
	}
}

// scriptRune returns '^' or '_' and the ASCII character for a raised or lowered one.
func scriptRune(r rune) (byte, byte) {
	switch r {
	case '⁰':
		return '^', '0'
	case '¹':
		return '^', '1'
	case '²':
		return '^', '2'
	case '³':
		return '^', '3'
	case '⁺':
		return '^', '+'
	case '⁻':
		return '^', '-'
	case 'ⁿ':
		return '^', 'n'
	case 'ⁱ':
		return '^', 'i'
	case 'ˣ':
		return '^', 'x'
	case '₊':
		return '_', '+'
	case '₋':
		return '_', '-'
	case 'ₙ':
		return '_', 'n'
	case 'ᵢ':
		return '_', 'i'
	case 'ₖ':
		return '_', 'k'
	case 'ₐ':
		return '_', 'a'
	case 'ₓ':
		return '_', 'x'
	}
	if r >= '⁴' && r <= '⁹' {
		return '^', byte('4' + r - '⁴')
	}
	if r >= '₀' && r <= '₉' {
		return '_', byte('0' + r - '₀')
	}
	return 0, 0
}

var foldTable = map[rune]string{
	'−': "-", '–': "-", '—': "-", '‐': "-", '‑': "-", '‒': "-", '―': "-", '﹣': "-",
	'×': `\times `, '✕': `\times `, '⋅': `\cdot `, '·': `\cdot `, '∙': `\cdot `, '•': `\cdot `, '÷': `\div `, '∕': "/", '⁄': "/",
	'√': `\sqrt `, '∛': `\sqrt[3] `, '∜': `\sqrt[4] `, '∞': `\infty `, '°': `^\circ `, 'º': `^\circ `, '℃': `^\circ C`, '℉': `^\circ F`,
	'≤': `\le `, '⩽': `\le `, '≦': `\le `, '≥': `\ge `, '⩾': `\ge `, '≧': `\ge `, '≠': `\ne `, '≈': `\approx `, '≅': `\approx `, '∼': `\sim `, '≡': `\equiv `,
	'±': `\pm `, '∓': `\mp `, '∪': `\cup `, '∩': `\cap `, '∈': `\in `, '∉': `\notin `, '∅': `\emptyset `, '⊂': `\subset `, '⊆': `\subseteq `, '∖': `\setminus `,
	'ℝ': `\mathbb{R}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℕ': `\mathbb{N}`, 'ℂ': `\mathbb{C}`,
	'→': `\to `, '⇒': `\Rightarrow `, '⟹': `\Rightarrow `, '⟶': `\to `, '∑': `\sum `, '∏': `\prod `, '∫': `\int `, '∂': `\partial `, '∇': `\nabla `,
	'∠': `\angle `, '△': `\triangle `, '⊥': `\perp `, '∥': `\parallel `, '∀': `\forall `, '∃': `\exists `, '∧': `\land `, '∨': `\lor `, '¬': `\neg `,
	'⌊': `\lfloor `, '⌋': `\rfloor `, '⌈': `\lceil `, '⌉': `\rceil `, '⟨': `\langle `, '⟩': `\rangle `, '〈': `\langle `, '〉': `\rangle `, '′': "'", '″': "''",
	'…': `\ldots `, '⋯': `\ldots `, '½': `\frac{1}{2}`, '⅓': `\frac{1}{3}`, '⅔': `\frac{2}{3}`, '¼': `\frac{1}{4}`, '¾': `\frac{3}{4}`,
	'⅕': `\frac{1}{5}`, '⅖': `\frac{2}{5}`, '⅗': `\frac{3}{5}`, '⅘': `\frac{4}{5}`, '⅙': `\frac{1}{6}`, '⅚': `\frac{5}{6}`, '⅐': `\frac{1}{7}`,
	'⅛': `\frac{1}{8}`, '⅜': `\frac{3}{8}`, '⅝': `\frac{5}{8}`, '⅞': `\frac{7}{8}`, '⅑': `\frac{1}{9}`, '⅒': `\frac{1}{10}`,
	'α': `\alpha `, 'β': `\beta `, 'γ': `\gamma `, 'δ': `\delta `, 'ε': `\epsilon `, 'ϵ': `\epsilon `, 'ζ': `\zeta `, 'η': `\eta `, 'θ': `\theta `, 'ϑ': `\theta `,
	'ι': `\iota `, 'κ': `\kappa `, 'λ': `\lambda `, 'μ': `\mu `, 'µ': `\mu `, 'ν': `\nu `, 'ξ': `\xi `, 'π': `\pi `, 'ρ': `\rho `, 'σ': `\sigma `, 'τ': `\tau `,
	'φ': `\phi `, 'ϕ': `\phi `, 'χ': `\chi `, 'ψ': `\psi `, 'ω': `\omega `, 'Γ': `\Gamma `, 'Δ': `\Delta `, 'Θ': `\Theta `, 'Λ': `\Lambda `, 'Ξ': `\Xi `,
	'Π': `\Pi `, 'Σ': `\Sigma `, 'Φ': `\Phi `, 'Ψ': `\Psi `, 'Ω': `\Omega `, '𝜋': `\pi `, '𝑖': "i", 'ℯ': "e", 'ⅇ': "e", 'ⅈ': "i",
	'∴': `\therefore `, '∵': `\because `, '✓': "", '✔': "", '✅': "", '\u00a0': " ", '\u202f': " ", '\u3000': " ", '\u2028': " ", '\u2029': " ", '\u200b': "", '\u200c': "", '\u200d': "", '\u2060': "", '\ufeff': "", '\u00ad': "",
	'\u2061': "", '\u2062': "", '\u2063': "", '\u200e': "", '\u200f': "", '‘': "'", '’': "'", '“': `"`, '”': `"`, '«': `"`, '»': `"`, '、': ",", '。': ". ", '，': ",", '｡': ".",
	'：': ":", '；': ";", '（': "(", '）': ")", '【': "[", '】': "]", '「': `"`, '」': `"`, '％': "%", '∶': ":", '∣': "|", '∗': "*", '＊': "*", '٪': "%", '٫': ".", '٬': ",", '،': ",", '‰': `\permil `,
}

package jsoncheck

import (
	"fmt"
	"strings"
	"unicode"
)

// property reads the rest of \p{…} or \P{…} and returns it in Go's names: general categories by short or long name,
// scripts by Script= or sc= (also Script_Extensions, which Go has not: the script alone is taken), and the binary
// properties of package unicode.
func (t *ecma) property(kind rune) (string, error) {
	name, _, ok := strings.Cut(t.src[t.pos:], "}")
	if !ok || !t.skip("{") {
		return "", fmt.Errorf(`\%c without {name}`, kind)
	}
	name = strings.TrimPrefix(name, "{")
	t.pos += len(name) + 1
	key, value, has := strings.Cut(name, "=")
	switch {
	case !has:
		value = key
		if short, ok := categories[value]; ok {
			value = short
		}
		if _, ok := unicode.Categories[value]; ok {
			return fmt.Sprintf(`\%c{%s}`, kind, value), nil
		}
		if set, ok := properties[value]; ok {
			return fmt.Sprintf(`\%c{%s}`, kind, set), nil
		}
	case key == "Script" || key == "sc" || key == "Script_Extensions" || key == "scx":
		if _, ok := unicode.Scripts[value]; ok {
			return fmt.Sprintf(`\%c{%s}`, kind, value), nil
		}
	case key == "General_Category" || key == "gc":
		if short, ok := categories[value]; ok {
			value = short
		}
		if _, ok := unicode.Categories[value]; ok {
			return fmt.Sprintf(`\%c{%s}`, kind, value), nil
		}
	}
	return "", fmt.Errorf(`unknown Unicode property \%c{%s}`, kind, name)
}

// properties are the binary properties that Go's syntax has under the same meaning.
var properties = map[string]string{"Any": "Any", "Assigned": "Assigned", "ASCII": "ASCII"}

// categories maps the long names of general categories (Unicode Standard Annex 44, table 12) to the short ones.
var categories = map[string]string{
	"Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm",
	"Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
	"Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
	"Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
	"Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
	"Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
	"Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
	"Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs",
	"Private_Use": "Co",
}

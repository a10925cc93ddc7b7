package codecheck

import (
	"strings"
	"testing"
)

func TestExtract(t *testing.T) {
	const code = "def f():\n    return 1\n"
	tests := []struct {
		name, answer string
		want, how    string
	}{
		{"a bare program is an answer", code, code, howWhole},
		{"a byte-order mark goes", "\ufeff" + code, code, howWhole},
		{"the last tagged fence wins", "```python\nx = 1\n```\nBetter:\n```python\n" + code + "```", code, howTagged},
		{"over a later untagged one", "```python\n" + code + "```\nOutput:\n```\n1\n```", code, howTagged},
		{"and over one of another tag", "```py\n" + code + "```\n```bash\npython x.py\n```", code, howTagged},
		{"tags are in any case", "```Python\n" + code + "```", code, howTagged},
		{"with a digit", "```python3\n" + code + "```", code, howTagged},
		{"with a space before", "``` python \n" + code + "```", code, howTagged},
		{"with attributes", "```python title=\"a.py\"\n" + code + "```", code, howTagged},
		{"with attributes in braces", "```{.python .numberLines}\n" + code + "```", code, howTagged},
		{"with a file name", "```python:a.py\n" + code + "```", code, howTagged},
		{"tildes fence too", "~~~python\n" + code + "~~~", code, howTagged},
		{"four ticks hold three", "````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''\n", howTagged},
		{"no end means to the end", "Here:\n```python\n" + code, code, howTagged},
		{"line ends become LF", "```python\r\nx = 1\r\n```", "x = 1\n", howTagged},
		{"an untagged fence", "So:\n```\n" + code + "```", code, howUntagged},
		{"that is no transcript", "```\n" + code + "```\nUsage:\n```\n>>> f()\n1\n```", code, howUntagged},
		{"another tag when there is nothing else", "```javascript\n" + code + "```", code, howOther},
		{"a fence in a list gives its indentation up", "1. So:\n\n   ```python\n   def f():\n       return 1\n   ```", code, howTagged},
		{"a fence behind a list mark", "- ```python\n  x = 1\n  ```", "x = 1\n", howTagged},
		{"a quoted fence", "> ```python\n> x = 1\n> ```", "x = 1\n", howTagged},
		{"the first line's indentation stays", "```\n    return 1\n```", "    return 1\n", howUntagged},
		{"code on the line of the fence", "```def f(): return 1\n```", "def f(): return 1\n", howUntagged},
		{"a fence inside a line of prose", "Use ```x = 1``` here.", "x = 1", howUntagged},
		{"a fence that opens behind prose", "So: ```python\n" + code + "```", code, howTagged},
		{"the last of several inside lines", "Not ```a``` but ```b```.", "b", howUntagged},
		{"a block before one inside a line", "Call ```f()```:\n```\n" + code + "```", code, howUntagged},
		{"ticks inside a bare program are its own", "def f():\n    return '```x```'\n", "def f():\n    return '```x```'\n", howWhole},
		{"single ticks are no fence", "Use `f` here.", "Use `f` here.", howWhole},
		{"code behind the tag", "```python def f():\n    return 1\n```", code, howTagged},
		{"a tagged session behind a program", "```python\n" + code + "```\nUsage:\n```python\n>>> f()\n1\n```", code, howTagged},
		{"a tagged session where nothing else is", "```python\n>>> f()\n1\n```", ">>> f()\n1\n", howTagged},
		{"an empty fence is no program", "```python\n```", "", howWhole},
		{"nothing", "", "", howWhole},
		{"a draft in a thought, then the answer", "<think>\n```python\nx = 1\n```\n</think>\n```python\n" + code + "```", code, howTagged},
	}
	lang, _ := FindLanguage(Languages(), "python")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, how := Extract(tt.answer, lang)
			if code != tt.want || how != tt.how {
				t.Errorf("got %q by %s, want %q by %s", code, how, tt.want, tt.how)
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{"```python\nx\n```", "~~~\n", "- ```py\n  a\n", "````\n```\n````", "> ```\n> x", "a ```x``` b", "``` ``` ````"} {
		f.Add(s)
	}
	lang, _ := FindLanguage(Languages(), "python")
	f.Fuzz(func(t *testing.T, answer string) {
		code, how := Extract(answer, lang)
		if len(code) > len(answer)+1 || how == "" {
			t.Errorf("%d bytes of code by %q out of %d", len(code), how, len(answer))
		}
		if again, _ := Extract(answer, lang); again != code {
			t.Error("two runs differ")
		}
		if strings.TrimSpace(code) == "" && code != "" {
			t.Errorf("blank code %q", code)
		}
	})
}

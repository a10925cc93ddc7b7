package codecheck

import "regexp"

var (
	javaPublic = regexp.MustCompile(`(?m)^[ \t]*(?:(?:abstract|final|strictfp|sealed)\s+)*public\s+(?:(?:abstract|final|strictfp|sealed)\s+)*(?:class|interface|enum|record)\s+(\w+)`)
	javaType   = regexp.MustCompile(`\b(?:class|interface|enum|record)\s+(\w+)[^;{()]*\{|\b(?:record)\s+(\w+)\s*\([^)]*\)[^{;]*\{`)
	javaMain   = regexp.MustCompile(`\bstatic\s+(?:final\s+)?void\s+main\s*\(`)
	javaPkg    = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)
)

// javaNames gives the file that javac wants a source to be in, by its public class, and the class whose main is run.
func javaNames(source string) (file, unit string) {
	l := lex(source, syntax{comment: "//"})
	file, unit = "Main.java", "Main"
	if m := javaPublic.FindSubmatch(l.code); m != nil {
		unit = string(m[1])
		file = unit + ".java"
	}
	if at := javaMain.FindIndex(l.code); at != nil {
		for _, m := range javaType.FindAllSubmatchIndex(l.code[:at[0]], -1) {
			if name := m[2:4]; name[0] >= 0 && l.closing(m[1]-1) > at[0] {
				unit = source[name[0]:name[1]]
				break // the outermost one round it
			}
		}
	}
	if m := javaPkg.FindSubmatch(l.code); m != nil {
		unit = string(m[1]) + "." + unit
	}
	return file, unit
}

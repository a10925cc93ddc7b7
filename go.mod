module github.com/verifyd/verifyd

go 1.26

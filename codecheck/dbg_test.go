package codecheck

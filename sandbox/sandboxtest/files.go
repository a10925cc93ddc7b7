package sandboxtest

import (
	"strings"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
)

func files(t *testing.T, b Backend) {
	data := func(name, text string) sandbox.File { return sandbox.File{Name: name, Data: []byte(text)} }
	guarded := []sandbox.File{{Name: "lib/trusted.txt", Data: []byte("truth\n"), ReadOnly: true}, data("lib/own.txt", "own\n")}
	runCases(t, b, []testCase{
		{name: "a file is there, and in its folder", files: []sandbox.File{data("a/b c/ü.txt", "text")}, sh: "cat 'a/b c/ü.txt'", want: sandbox.OK, stdout: "text"},
		{name: "an absolute name below the work folder", files: []sandbox.File{data(sandbox.WorkDir+"/x", "text")}, sh: "cat x", want: sandbox.OK, stdout: "text"},
		{name: "a file may be changed and removed", files: []sandbox.File{data("x", "text")}, sh: "echo more >> x && cat x && rm x", want: sandbox.OK, stdout: "textmore\n"},
		{name: "an executable file runs", files: []sandbox.File{{Name: "p", Data: []byte("#!/bin/sh\necho ran\n"), Exec: true}}, args: []string{"./p"}, want: sandbox.OK, stdout: "ran\n"},
		{name: "another one does not", files: []sandbox.File{data("p", "#!/bin/sh\necho ran\n")}, sh: "./p", want: sandbox.ExitError, exit: 126},
		{name: "a large file arrives whole", files: []sandbox.File{data("x", strings.Repeat("y", 5_000_000))}, sh: "wc -c < x", want: sandbox.OK, stdout: "5000000\n"},
		{name: "a read-only file can be read", files: guarded, sh: "cat lib/trusted.txt", want: sandbox.OK, stdout: "truth\n"},
		{
			name: "a read-only file cannot be changed, replaced or removed, nor its folder moved", needs: "boundary", files: guarded, want: sandbox.OK, stdout: "truth\n",
			sh: `(echo x > lib/trusted.txt; echo x >> lib/trusted.txt; chmod 777 lib/trusted.txt; rm -f lib/trusted.txt; echo x > n; mv -f n lib/trusted.txt
				mv lib old; rm -rf lib; ln -sf /dev/null lib/trusted.txt; chmod 777 lib; mkdir lib2; mv -T lib2 lib) 2>/dev/null >&2; cat lib/trusted.txt`,
		},
		{name: "beside a read-only file others can be made", files: guarded, sh: "echo x > lib/new && cat lib/new && rm lib/new && mkdir -p lib/d/e && echo y > top", want: sandbox.OK, stdout: "x\n"},
		{name: "files come back", sh: "mkdir d; echo one > a; echo two > d/b; chmod +x a", copy: []string{"a", "d/b", "missing"}, want: sandbox.OK, check: wantFiles("a=one\n d/b=two\n")},
		{name: "files come back after a failure, too", sh: "echo one > a; exit 1", copy: []string{"a"}, want: sandbox.ExitError, exit: 1, check: wantFiles("a=one\n")},
		{
			name: "links, pipes, folders and devices do not", needs: "boundary", want: sandbox.OK, check: wantFiles(""),
			sh: `ln -s /etc/passwd l; ln -s ../../../etc/passwd m; ln -s a n; echo x > a; mkfifo f; mkdir d; mknod c c 1 5 2>/dev/null
				mkdir q; ln -s /etc q/e; ln -s / r; ln -s /proc/self/environ env; exit 0`,
			copy: []string{"l", "m", "n", "f", "d", "c", "q/e/passwd", "r/etc/passwd", "env"},
		},
		{name: "a sparse file larger than the file limit cannot be made", sh: "truncate -s 1T big 2>/dev/null || echo refused", copy: []string{"big"}, limits: sandbox.Limits{File: sandbox.MiB}, want: sandbox.OK, check: wantFiles("big=")},
		{name: "a file without read permission comes back", sh: "echo x > a; chmod 0 a", copy: []string{"a"}, want: sandbox.OK, check: wantFiles("a=x\n")},
		{name: "odd names come back", sh: "printf 1 > -rf; printf 2 > 'a\nb'; printf 3 > '*'", copy: []string{"-rf", "a\nb", "*"}, want: sandbox.OK, check: wantFiles("-rf=1 a\nb=2 *=3")},
		{name: "the temporary folders can be written", sh: "echo x > /tmp/a && echo y > /dev/shm/b && cat /tmp/a /dev/shm/b", want: sandbox.OK, stdout: "x\ny\n", needs: "boundary"},
		{name: "the root cannot be written", sh: "for d in / /usr /etc /dev /usr/bin /root /home /run /var /proc; do echo x 2>/dev/null > $d/x && echo $d; done; exit 0", want: sandbox.OK, check: wantNoOutput, needs: "boundary"},
		{name: "a job finds nothing of the one before", sh: "ls -A /work /tmp /dev/shm /var/tmp | grep -v : | grep .; touch /work/r /tmp/r /dev/shm/r", want: sandbox.OK, check: wantNoOutput, needs: "boundary"},
		{name: "nor does the next one", sh: "ls -A /work /tmp /dev/shm /var/tmp | grep -v : | grep .; touch /work/r /tmp/r /dev/shm/r", want: sandbox.OK, check: wantNoOutput, needs: "boundary"},
	})
}

func wantFiles(want string) func(*testing.T, sandbox.Result) {
	return func(t *testing.T, r sandbox.Result) {
		t.Helper()
		var got []string
		for _, f := range r.Files {
			got = append(got, f.Name+"="+string(f.Data))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("files %q, want %q; %s", s, want, describe(r))
		}
	}
}

func wantNoOutput(t *testing.T, r sandbox.Result) {
	t.Helper()
	if len(r.Stdout.Data) > 0 {
		t.Errorf("stdout %q, want none", r.Stdout.Data)
	}
}

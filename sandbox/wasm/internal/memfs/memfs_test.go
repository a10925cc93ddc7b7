package memfs

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"
)

func fresh() *FS {
	f := New(Quota{Disk: 100, File: 60, Inodes: 5, OpenFiles: 3}, func() int64 { return 1 })
	f.Folder("/work", true)
	f.Folder("/lib", false)
	return f
}

func open(t *testing.T, f *FS, name string, flag sys.Oflag) sys.File {
	t.Helper()
	file, errno := f.OpenFile(name, flag, 0)
	if errno != 0 {
		t.Fatalf("open %s: %v", name, errno)
	}
	return file
}

const create = sys.O_CREAT | sys.O_RDWR

func TestQuotas(t *testing.T) {
	t.Run("bytes of one file", func(t *testing.T) {
		f := fresh()
		file := open(t, f, "work/a", create)
		if n, errno := file.Write(make([]byte, 60)); n != 60 || errno != 0 {
			t.Errorf("60 bytes: %d, %v", n, errno)
		}
		if n, errno := file.Write([]byte("x")); n != 0 || errno == 0 || !f.Refused {
			t.Errorf("one more: %d, %v", n, errno)
		}
		if errno := file.Truncate(1 << 40); errno == 0 {
			t.Error("a file of a terabyte")
		}
		if _, errno := file.Pwrite([]byte("x"), 1<<50); errno == 0 {
			t.Error("a byte behind a petabyte")
		}
	})
	t.Run("bytes of all, given back with the last name and handle", func(t *testing.T) {
		f := fresh()
		a, b := open(t, f, "work/a", create), open(t, f, "work/b", create)
		_, _ = a.Write(make([]byte, 50))
		if _, errno := b.Write(make([]byte, 51)); errno == 0 {
			t.Error("101 bytes")
		}
		if errno := f.Unlink("work/a"); errno != 0 {
			t.Fatal(errno)
		}
		if f.Used() != 50 {
			t.Errorf("%d used while open", f.Used())
		}
		_ = a.Close()
		if f.Used() != 0 {
			t.Errorf("%d used at last", f.Used())
		}
	})
	t.Run("files and folders", func(t *testing.T) {
		f := fresh()
		for i, name := range []string{"a", "b", "c", "d", "e"} {
			if errno := f.Mkdir("work/"+name, 0); errno != 0 {
				t.Errorf("folder %d: %v", i, errno)
			}
		}
		if errno := f.Mkdir("work/f", 0); errno == 0 || !f.Refused {
			t.Errorf("a sixth: %v", errno)
		}
		_ = f.Rmdir("work/a")
		if errno := f.Mkdir("work/f", 0); errno != 0 {
			t.Errorf("after one was removed: %v", errno)
		}
	})
	t.Run("open files", func(t *testing.T) {
		f := fresh()
		for range 3 {
			open(t, f, "work/a", create)
		}
		if _, errno := f.OpenFile("work/a", sys.O_RDONLY, 0); errno == 0 {
			t.Error("a fourth")
		}
	})
}

func TestThereIsNoWayOut(t *testing.T) {
	f := fresh()
	f.Put("/work/own", []byte("text"), true, false)
	f.Put("/work/d/own", []byte("text"), true, false)
	if f.Symlink("../../../etc/passwd", "work/a") == 0 || f.Link("work/own", "work/b") == 0 {
		t.Error("a link was made")
	}
	for _, name := range []string{"../etc/passwd", "work/../../etc/passwd", "..", "work/..", "/etc/passwd", "etc/passwd"} {
		if _, errno := f.OpenFile(name, sys.O_RDONLY, 0); errno == 0 {
			t.Errorf("%s was opened", name)
		}
	}
	for what, errno := range map[string]sys.Errno{
		"made in the root":              f.Mkdir("x", 0),
		"made in the library":           f.Mkdir("lib/x", 0),
		"removed read-only":             f.Unlink("work/own"),
		"moved read-only":               f.Rename("work/own", "work/mine"),
		"moved what holds read-only":    f.Rename("work/d", "work/e"),
		"removed the work folder":       f.Rmdir("work"),
		"moved the work folder":         f.Rename("work", "work2"),
		"moved a folder into itself":    f.Rename("work", "work/x"),
		"removed what holds read-only":  f.Rmdir("work/d"),
		"changed times of a read-only":  f.Utimens("work/own", 1, 1),
		"used a file as a folder":       f.Mkdir("work/own/x", 0),
		"made a name that is too long":  f.Mkdir("work/"+strings.Repeat("x", 256), 0),
		"made a folder that is there":   f.Mkdir("work/d", 0),
		"made a name that goes upwards": f.Mkdir("work/../x", 0),
	} {
		if errno == 0 {
			t.Error(what)
		}
	}
	for _, flag := range []sys.Oflag{sys.O_WRONLY, sys.O_RDWR, sys.O_TRUNC, create} {
		if _, errno := f.OpenFile("work/own", flag, 0); errno == 0 {
			t.Errorf("a read-only file was opened with %v", flag)
		}
	}
	mine := open(t, f, "work/mine", create)
	_ = mine.Close()
	if errno := f.Rename("work/mine", "work/own"); errno == 0 {
		t.Error("a read-only file was replaced")
	}
}

func TestFiles(t *testing.T) {
	f := fresh()
	file := open(t, f, "work/a", create)
	_, _ = file.Write([]byte("hello world"))
	if at, _ := file.Seek(-5, io.SeekEnd); at != 6 {
		t.Errorf("at %d", at)
	}
	buf := make([]byte, 10)
	if n, _ := file.Read(buf); string(buf[:n]) != "world" {
		t.Errorf("read %q", buf[:n])
	}
	_ = file.Truncate(2)
	_ = file.Truncate(5)
	if data, _, _ := f.Read("/work/a"); string(data) != "he\x00\x00\x00" {
		t.Errorf("content %q", data)
	}
	app := open(t, f, "work/a", sys.O_WRONLY|sys.O_APPEND)
	_, _ = app.Write([]byte("!"))
	if n, errno := app.Read(buf); n != 0 || errno == 0 {
		t.Error("read from a file opened for writing")
	}
	_ = app.Close()
	if errno := f.Rename("work/a", "work/b"); errno != 0 {
		t.Error(errno)
	}
	if data, _, ok := f.Read("/work/b"); !ok || string(data) != "he\x00\x00\x00!" {
		t.Errorf("content %q", data)
	}
	if _, errno := f.Stat("work/a"); errno != sys.ENOENT {
		t.Errorf("the old name: %v", errno)
	}
	dir := open(t, f, "work", sys.O_DIRECTORY)
	_ = f.Mkdir("work/0", 0)
	list, _ := dir.Readdir(-1)
	var names []string
	for _, d := range list {
		names = append(names, d.Name)
	}
	if got := strings.Join(names, " "); got != "0 b" {
		t.Errorf("names %q", got)
	}
}

func TestShared(t *testing.T) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range []string{"p/q/x.py", "p/y.py"} {
		e, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = e.Write([]byte("text of " + name))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	shared, err := FromZip(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	f := fresh()
	f.Mount("lib", shared)
	if data, _, ok := f.Read("/lib/p/q/x.py"); !ok || string(data) != "text of p/q/x.py" {
		t.Errorf("content %q", data)
	}
	if f.Unlink("lib/p/y.py") == 0 || f.Mkdir("lib/p/z", 0) == 0 || f.Rename("lib/p", "work/p") == 0 {
		t.Error("a shared tree was changed")
	}
	if _, errno := f.OpenFile("lib/p/y.py", sys.O_RDWR, 0); errno == 0 {
		t.Error("a shared file was opened for writing")
	}
	file := open(t, f, "lib/p/y.py", sys.O_RDONLY)
	if n, errno := file.Write([]byte("x")); n != 0 || errno == 0 {
		t.Error("a shared file was written")
	}
}

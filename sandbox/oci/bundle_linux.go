package oci

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// slotRights are what the slot needs to put up a job's walls: mounts, the job's user, files of that user, an end for it. They are
// rights of the container's own user namespace.
var slotRights = []string{"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_ADMIN"}

// writeBundle writes the config.json of a container.
func (o *OCI) writeBundle(dir, id string, r *root, uid int, server *sandbox.Server) error {
	mounts := append(systemMounts(o.tool.kind), r.mounts...)
	mounts = append(mounts, o.program.binds...)
	if server != nil {
		files := filepath.Join(dir, "server")
		if err := writeServer(files, server); err != nil {
			return err
		}
		mounts = append(mounts, specs.Mount{Destination: sandbox.ServerDir, Type: "bind", Source: files, Options: []string{"bind", "ro", "nosuid", "nodev"}})
	}
	rights := slotRights
	if o.rootless { // a job's own user namespace maps the slot's root (user_namespaces(7), since Linux 5.12)
		rights = append(slices.Clone(slotRights), "CAP_SETFCAP")
	}
	spec := specs.Spec{
		Version:  "1.0.2", // the oldest that has all that is used here
		Hostname: "sandbox",
		Root:     &specs.Root{Path: r.dir, Readonly: true},
		Mounts:   mounts,
		Process: &specs.Process{
			Args: o.program.args, Cwd: "/", NoNewPrivileges: true,
			Env:          []string{"PATH=" + programFolder, "GOMAXPROCS=2", "GOGC=200", "GORACE=atexit_sleep_ms=0"},
			Capabilities: &specs.LinuxCapabilities{Bounding: rights, Effective: rights, Permitted: rights},
		},
		Linux: o.linux(id, uid),
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config.json"), text, 0o600)
}

func (o *OCI) linux(id string, uid int) *specs.Linux {
	l := &specs.Linux{}
	kinds := []specs.LinuxNamespaceType{specs.PIDNamespace, specs.IPCNamespace, specs.UTSNamespace, specs.MountNamespace, specs.NetworkNamespace}
	if !o.tool.ownKernel {
		kinds = append(kinds, specs.UserNamespace, specs.CgroupNamespace)
		l.UIDMappings, l.GIDMappings = o.ids(os.Geteuid(), uid), o.ids(os.Getegid(), uid)
	}
	for _, k := range kinds {
		l.Namespaces = append(l.Namespaces, specs.LinuxNamespace{Type: k})
	}
	if !o.rootless {
		l.CgroupsPath = id // below the engine's own group
		l.Resources = &specs.LinuxResources{Devices: []specs.LinuxDeviceCgroup{{Allow: false, Access: "rwm"}}}
	}
	return l
}

// ids maps the slot's and the job's user of a container to two of the host, or the slot's to the engine's own.
func (o *OCI) ids(own, uid int) []specs.LinuxIDMapping {
	if o.rootless {
		return []specs.LinuxIDMapping{{ContainerID: 0, HostID: uint32(own), Size: 1}}
	}
	return []specs.LinuxIDMapping{{ContainerID: 0, HostID: uint32(uid), Size: 1}, {ContainerID: slot.JobID, HostID: uint32(uid + 1), Size: 1}}
}

// systemMounts are of every container. A job sees its own processes only (subset=pid, Linux 5.8), so there is nothing in /proc that
// would have to be masked.
func systemMounts(k kind) []specs.Mount {
	return []specs.Mount{
		{Destination: "/proc", Type: "proc", Source: "proc", Options: append([]string{"nosuid", "nodev", "noexec"}, k.proc...)},
		{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "mode=755", "size=64k"}},
		{Destination: "/dev/shm", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "nodev", "noexec", "mode=755", "size=4k"}},
	}
}

func writeServer(dir string, server *sandbox.Server) error {
	for _, f := range server.Files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return err
		}
		at := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, f.Data, 0o444); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// Package image keeps unpacked images for the backends that run programs in them.
//
// Theory. An image is a tree of files made of layers, each a tar archive that adds, replaces and removes. It comes as an OCI layout (a
// folder, or an archive of it) or as the archive that `docker save` writes, from wherever the user got it: nothing is pulled. What
// such a file says is not believed:
//
//	name ── pinned ──▶ digest ── is the hash of ──▶ manifest, configuration ── hold the hashes of ──▶ layers
//
// Every step is checked while it is read, and only what was checked as a whole is moved to its place in the store, a folder named by
// the digest. A tag stands for one digest: an image with another one is refused under the same name unless the user says so, and
// a name with a digest is refused where the tag means another.
//
// Layers are unpacked within a folder that cannot be left (os.Root), lowest first. An archive or layout in which a layer is a link,
// a file whose name leaves the tree, and a file that is put through a link of a lower layer are refused: no builder needs
// them, and each has been somebody's way out of a container. Devices, owners, and rights to become another user (setuid) are left out.
// Sources: OCI image specification 1.1 (layer.md, image-layout.md).
package image

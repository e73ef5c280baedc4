#!/bin/sh
# Packs a release and looks into the tarball. Arguments: the root of a git checkout, the folder to unpack it
# in (made anew). That it builds and passes its tests shows whoever runs them there.
set -u
root=$1
folder=$2
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"

rm -rf "$folder" "$root"/build/meson-dist
mkdir -p "$folder" || exit 1
check './dev dist packs' "$root/dev" dist
check 'it can be unpacked' tar -xzf "$(echo "$root"/build/meson-dist/weft-*.tar.gz)" -C "$folder"
tree=$(echo "$folder"/weft-*)
git -C "$root" ls-files | sort >"$folder/committed"
(cd "$tree" && find . -type f -o -type l | sed 's,^./,,' | sort) >"$folder/packed"
check 'it has what is committed, and nothing else' diff "$folder/committed" "$folder/packed"
check 'the version is in its name' grep -q "version: '${tree##*/weft-}'" "$root/meson.build"
tap_done

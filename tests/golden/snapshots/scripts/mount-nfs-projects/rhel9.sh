#!/bin/bash
# Mounts an NFS server's export, now and at every boot: mount_nfs.sh SERVER EXPORT DIRECTORY
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly SERVER=$1 EXPORT=$2 DIRECTORY=$3
readonly ATTEMPTS=5
readonly OPTIONS=hard,_netdev,nofail

# Never a newer kernel, nor a driver that has to match it.
install_packages() {
  dnf install -y --exclude='kernel*' --exclude='kmod-lustre*' --exclude='efa*' "$@"
}

# One line a directory: a changed one takes the place of the former.
# write_fstab DIRECTORY LINE
write_fstab() {
  local fstab="$ROOT/etc/fstab"
  touch "$fstab" || return
  if ! grep -qxF -e "$2" "$fstab"; then
    awk -v directory="$1" '$2 != directory' "$fstab" >"$fstab.new" || return
    printf '%s\n' "$2" >>"$fstab.new" || return
    chmod 0644 "$fstab.new" || return
    mv -f "$fstab.new" "$fstab"
  fi
}

mount_export() {
  local attempt
  for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
    if mount "$DIRECTORY"; then
      return
    fi
    echo "attempt $attempt of $ATTEMPTS to mount $SERVER:$EXPORT failed" >&2
    sleep "$((attempt * 2))"
  done
  echo "$SERVER:$EXPORT cannot be mounted at $DIRECTORY: is port 2049 of the server open to this node?" >&2
  return 1
}

if ! command -v mount.nfs >/dev/null; then
  install_packages nfs-utils
fi
mkdir -p "$ROOT$DIRECTORY"
# A node that has a former server mounted changes over at its next boot.
write_fstab "$DIRECTORY" "$SERVER:$EXPORT $DIRECTORY nfs $OPTIONS 0 0"
if ! mountpoint -q "$ROOT$DIRECTORY"; then
  mount_export
fi

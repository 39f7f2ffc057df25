#!/bin/bash
# Mounts an NFS server's export, now and at every boot: mount_nfs.sh SERVER EXPORT DIRECTORY
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly SERVER=$1 EXPORT=$2 DIRECTORY=$3
readonly FSTAB="$ROOT/etc/fstab"
readonly ATTEMPTS=5
readonly OPTIONS=hard,_netdev,nofail

# Other package work of the boot may hold the lock for minutes.
install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 update
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

# One line a directory, so that a changed server replaces the former; a node that has it mounted changes over at
# its next boot.
write_fstab() {
  local line="$SERVER:$EXPORT $DIRECTORY nfs $OPTIONS 0 0"
  if ! grep -qxF -e "$line" "$FSTAB"; then
    awk -v directory="$DIRECTORY" '$2 != directory' "$FSTAB" >"$FSTAB.new"
    printf '%s\n' "$line" >>"$FSTAB.new"
    chmod 0644 "$FSTAB.new"
    mv -f "$FSTAB.new" "$FSTAB"
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
  install_packages nfs-common
fi
mkdir -p "$ROOT$DIRECTORY"
write_fstab
if ! mountpoint -q "$ROOT$DIRECTORY"; then
  mount_export
fi

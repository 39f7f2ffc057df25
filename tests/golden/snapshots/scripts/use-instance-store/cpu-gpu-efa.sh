#!/bin/bash
# Mounts this node's NVMe instance store at /local_scratch, several disks striped, unless somebody has claimed it:
# ParallelCluster does so at boot, and mounts it at /scratch.
#
# Only a disk of the right model on which nothing is and that nobody uses is ever written to. Whatever cannot be done
# is said and no failure, since /local_scratch on the root volume serves too.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly LOCAL="$ROOT/local_scratch"
readonly MODEL='Amazon EC2 NVMe Instance Storage'
readonly ARRAY="$ROOT/dev/md/local_scratch"
readonly OPTIONS=noatime,nodiratime

# Other package work of the boot may hold the lock for minutes.
install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 update
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
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

# leave REASON
leave() {
  echo "the instance store is not used: $1; /local_scratch stays on the root volume"
  exit 0
}

# is_instance_store NAME: by the model's name, which EBS volumes have as well, another one
is_instance_store() {
  local model=''
  read -r model <"$ROOT/sys/block/$1/device/model" || true
  [[ $model == "$MODEL" && -b $ROOT/dev/$1 ]]
} 2>/dev/null

# is_mounted NAME: by its number, whatever path it was mounted by
is_mounted() {
  local number=''
  read -r number <"$ROOT/sys/block/$1/dev" || true
  awk -v number="$number" '$3 == number { found = 1 } END { exit !found }' /proc/self/mountinfo
}

# is_free NAME: says what is in the way
is_free() {
  local disk="$ROOT/sys/block/$1" status=0
  if compgen -G "$disk/holders/*" >/dev/null; then
    echo "$1 is part of another device" >&2
  elif compgen -G "$disk/$1p*" >/dev/null; then
    echo "$1 has partitions" >&2
  elif is_mounted "$1"; then
    echo "$1 is mounted" >&2
  else
    # 2 is its word for nothing at all; 8 is for contradicting signatures.
    blkid --probe "$ROOT/dev/$1" >&2 || status=$?
    ((status == 2)) && return
    echo "$1 has something on it, or cannot be read" >&2
  fi
  return 1
}

# Sets devices to the paths of what may be used.
find_devices() {
  local path name
  devices=()
  for path in "$ROOT"/sys/block/nvme*; do
    name=${path##*/}
    if is_instance_store "$name" && is_free "$name"; then
      devices+=("$ROOT/dev/$name")
    fi
  done
}

# need COMMAND PACKAGE
need() {
  command -v "$1" >/dev/null || install_packages "$2" || leave "$2 cannot be installed"
}

# Sets device to what the filesystem goes on.
choose_device() {
  device=${devices[0]}
  if ((${#devices[@]} > 1)); then
    need mdadm mdadm
    device=$ARRAY
    mdadm --create "$ARRAY" --run --level=0 --raid-devices="${#devices[@]}" "${devices[@]}" ||
      leave "mdadm failed on ${devices[*]}"
  fi
}

make_filesystem() {
  need mkfs.xfs xfsprogs
  # Without -f it refuses by itself to write over something. AWS hands over trimmed disks.
  mkfs.xfs -q -K "$device" || leave "mkfs.xfs failed on $device"
}

mount_filesystem() {
  local uuid
  uuid=$(blkid --probe --match-tag UUID --output value "$device") || leave "$device has no UUID"
  mkdir -p "$LOCAL"
  mount -t xfs -o "$OPTIONS" "$device" "$LOCAL" || leave "$device cannot be mounted"
  # By the UUID, since names of devices change between boots. The disk of a node that was stopped comes back blank,
  # which must not keep it from booting.
  write_fstab /local_scratch "UUID=$uuid /local_scratch xfs $OPTIONS,nofail 0 0" ||
    echo "/etc/fstab cannot be written: after a reboot, /local_scratch is on the root volume"
}

main() {
  local devices device
  if mountpoint -q "$LOCAL"; then
    return
  fi
  find_devices
  if ((${#devices[@]} == 0)); then
    return
  fi
  if [[ -L $LOCAL ]]; then
    leave "/local_scratch leads elsewhere"
  fi
  if [[ -d $LOCAL && -n $(ls -A "$LOCAL") ]]; then
    leave "/local_scratch holds files"
  fi
  choose_device
  make_filesystem
  mount_filesystem
  echo "/local_scratch is on ${devices[*]}"
}

main

#!/bin/bash
# Unpacks a release of Spack into the package directory: install_spack.sh VERSION SHA256 DIRECTORY
#
# Each version has a directory of its own, and current leads to the one that the cluster declares. Whatever is there
# already stays as it is: the filesystem may be older than the cluster, and others may use it.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly VERSION=$1 SHA256=$2 SPACK="$ROOT$3/spack"
readonly TARBALL="$CLUSTERFORM_DOWNLOADS/spack-$VERSION.tar.gz"
readonly NEEDED=(python3 gcc g++ make patch tar gzip bzip2 xz unzip file git)

# Other package work of the boot may hold the lock for minutes.
install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 update
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

# What Spack builds with; the images of ParallelCluster have it, others may not.
install_tools() {
  local tool
  for tool in "${NEEDED[@]}"; do
    if ! command -v "$tool" >/dev/null; then
      install_packages build-essential gfortran xz-utils gnupg make patch tar gzip bzip2 unzip file git python3
      return
    fi
  done
}

# Into place in one step. A run that was interrupted leaves a directory that nobody takes for Spack.
unpack() {
  work=$(mktemp -d "$SPACK/.unpacking-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  tar --extract --gzip --file "$TARBALL" --directory "$work" --strip-components 1 --no-same-owner
  if [[ ! -x $work/bin/spack ]]; then
    echo "$TARBALL holds no bin/spack: it is not a release of Spack" >&2
    return 1
  fi
  printf '%s\n' "$SHA256" >"$work/.clusterform-sha256"
  chmod 0755 "$work"
  # So that the operator installs software for all without being root. A filer may not let root give files away.
  if ! chown -R "ubuntu:" "$work"; then
    echo "$SPACK/$VERSION stays with $(stat -c %U "$work"), who then installs software"
  fi
  mv --no-target-directory "$work" "$SPACK/$VERSION"
}

install_release() {
  if [[ ! -e $SPACK/$VERSION ]]; then
    unpack
  elif [[ ! -x $SPACK/$VERSION/bin/spack ]]; then
    echo "$SPACK/$VERSION is there and holds no bin/spack: move it away, then update the cluster" >&2
    return 1
  elif [[ $(cat "$SPACK/$VERSION/.clusterform-sha256" 2>/dev/null) != "$SHA256" ]]; then
    echo "$SPACK/$VERSION was not made from SHA-256 $SHA256: it stays as it is"
  fi
}

link_current() {
  local link="$SPACK/current"
  if [[ -e $link && ! -L $link ]]; then
    echo "$link is not a link: it stays as it is"
  elif [[ $(readlink "$link" || true) != "$VERSION" ]]; then
    ln -sfn "$VERSION" "$link"
  fi
}

install_tools
if ! mkdir -p "$SPACK"; then
  echo "$SPACK cannot be made: does the filesystem let root of this node write (root_squash)?" >&2
  exit 1
fi
install_release
link_current

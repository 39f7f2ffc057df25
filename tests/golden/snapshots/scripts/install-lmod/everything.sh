#!/bin/bash
# Builds Lmod with the cluster's Spack: install_lmod.sh DIRECTORY
#
# Not from the system's packages: Ubuntu's removes the modules that ParallelCluster's MPI libraries come with, Amazon
# Linux has none, and a module command of the head node's disk would break in jobs, which inherit it. Without Lmod
# users have the image's own module command, so a failure here is told and no more.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly SPACK="$ROOT$1" OWNER=ubuntu
LINK="$SPACK/lmod-ubuntu22.04-$(uname -m)"
readonly LINK
readonly SECONDS_AT_MOST=1500

spack() {
  timeout "$SECONDS_AT_MOST" runuser --user "$OWNER" -- env HOME="/home/$OWNER" "$SPACK/bin/spack" "$@"
}

build() {
  local prefix
  spack install --fail-fast lmod || return
  prefix=$(spack location --install-dir lmod) || return
  [[ -r $prefix/lmod/lmod/init/sh ]] || return
  ln -sfn "$prefix" "$LINK"
}

if [[ -r $LINK/lmod/lmod/init/sh ]]; then
  exit 0
fi
if ! build; then
  echo "Lmod could not be built, and users have the image's module command: try, as $OWNER,"
  echo "  $SPACK/bin/spack install lmod"
  echo "The next update of the cluster tries again."
fi

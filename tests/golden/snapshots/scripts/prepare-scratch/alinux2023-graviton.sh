#!/bin/bash
# Gives every user a place for files that need not outlive the node: /local_scratch on the root volume.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly LOCAL="$ROOT/local_scratch"
readonly LINK="$ROOT/scratch"

# ParallelCluster mounts an instance store at /scratch: then that is the place.
if [[ -d $LINK && ! -L $LINK && ! -e $LOCAL ]]; then
  ln -s scratch "$LOCAL"
  chmod 1777 "$LINK"
  exit 0
fi

mkdir -p "$LOCAL"
chmod 1777 "$LOCAL"
if [[ -L $LINK || ! -e $LINK ]]; then
  ln -sfn local_scratch "$LINK"
fi

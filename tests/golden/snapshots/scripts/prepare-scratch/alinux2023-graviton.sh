#!/bin/bash
# Gives every user a place for files that need not outlive the node: /local_scratch, and /scratch that leads to it.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly LOCAL="$ROOT/local_scratch"
readonly LINK="$ROOT/scratch"

# ParallelCluster mounts an instance store at /scratch: then that is the place.
if mountpoint -q "$LINK" && [[ -L $LOCAL || ! -e $LOCAL ]]; then
  ln -sfn scratch "$LOCAL"
  chmod 1777 "$LINK"
  exit 0
fi

# It led to /scratch, and that is gone.
if [[ -L $LOCAL && ! -e $LOCAL ]]; then
  rm "$LOCAL"
fi
mkdir -p "$LOCAL"
chmod 1777 "$LOCAL"
if [[ -L $LINK || ! -e $LINK ]]; then
  ln -sfn local_scratch "$LINK"
fi

#!/bin/bash
# Fills the folders whose scripts Slurm runs on a node around each job, and removes from them what the cluster no
# longer lists. The entry script has fetched what is listed and checked its hashes.
#
# The folders are on a filesystem that every node mounts, so the head node alone does it. Scripts of others in them
# stay as they are.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly FOLDERS="$ROOT/opt/slurm/etc/scripts"

# Slurm runs whatever lies in a folder, half-written files too: so it is written beside the folder and moved there.
# install_script FOLDER/FILE
install_script() {
  local source="$CLUSTERFORM_JOBS/$1" target="$FOLDERS/$1" new="$FOLDERS/.clusterform-new"
  if [[ ! -d ${target%/*} ]]; then
    echo "${target%/*} is missing: is Slurm of this ParallelCluster version elsewhere?" >&2
    return 1
  fi
  if [[ ! -f $target || $(stat -c %a "$target") != 755 ]] || ! cmp --silent "$source" "$target"; then
    install -m 0755 "$source" "$new"
    mv -f "$new" "$target"
    echo "$target: installed"
  fi
}

shopt -s nullglob
for file in "$CLUSTERFORM_JOBS"/{prolog,epilog}.d/*; do
  install_script "${file#"$CLUSTERFORM_JOBS/"}"
done
for file in "$FOLDERS"/{prolog,epilog}.d/50_clusterform_*; do
  if [[ ! -e $CLUSTERFORM_JOBS/${file#"$FOLDERS/"} ]]; then
    rm -f "$file"
    echo "$file: removed, since the cluster no longer lists it"
  fi
done

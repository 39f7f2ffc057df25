#!/bin/bash
# Says, with this deployment's serial number, that everything on the head node has run.
set -euo pipefail

readonly MARKER="${CLUSTERFORM_ROOT:-}/opt/parallelcluster/shared/custom_action_done"

mkdir -p "${MARKER%/*}"
printf '%s\n' "${CLUSTERFORM_STACK_ID##*/}" >"$MARKER.new"
mv -f "$MARKER.new" "$MARKER"

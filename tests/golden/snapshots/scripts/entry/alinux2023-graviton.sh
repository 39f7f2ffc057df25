#!/bin/bash
# Runs on this node what the cluster's manifest lists for it, in order, and stops at the first failure.
#
#   entry.sh s3://BUCKET/entry.sh REGION STAGE STACK_ID [QUEUE MANIFEST_SHA256]
#
# STAGE is start, configured or updated. The last two arguments only make a changed manifest visible to
# ParallelCluster. Scripts find in their environment:
#
#   CLUSTERFORM_NODE       head, login or compute
#   CLUSTERFORM_STAGE      as above
#   CLUSTERFORM_STACK_ID   the CloudFormation stack that owns the cluster
#   CLUSTERFORM_DOWNLOADS  the directory with the configuration's downloads, each under its name
#
# CLUSTERFORM_ROOT is set by tests only: a directory that takes the place of /.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly ATTEMPTS=3
readonly LAST_LINES=20

# Says what went wrong twice: on the head node ParallelCluster shows standard output and drops standard error, on
# compute nodes it reports standard error.
fail() {
  printf 'clusterform: %s\n' "$1"
  printf 'clusterform: %s\n' "$1" >&2
  exit "${2:-1}"
}

# Sets CLUSTERFORM_NODE. Before ParallelCluster has written its configuration there is only the head node.
find_node() {
  local file="$ROOT/etc/parallelcluster/cfnconfig" line kind=HeadNode
  if [[ -e $file ]]; then
    kind=''
    while IFS= read -r line || [[ -n $line ]]; do
      if [[ $line == cfn_node_type=* ]]; then
        kind=${line#*=}
      fi
    done <"$file"
  fi
  case ${kind//[\"\']/} in
    HeadNode) CLUSTERFORM_NODE='head' ;;
    LoginNode) CLUSTERFORM_NODE='login' ;;
    ComputeFleet) CLUSTERFORM_NODE='compute' ;;
    *) fail "$file has no known cfn_node_type: '$kind'" ;;
  esac
  export CLUSTERFORM_NODE
}

# fetch KEY FILE
fetch() {
  local attempt reason=''
  for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
    if reason=$(aws s3 cp --only-show-errors --region "$region" "$base/$1" "$2" 2>&1); then
      return
    fi
    if ((attempt < ATTEMPTS)); then
      sleep "$((attempt * 2))"
    fi
  done
  fail "could not fetch $base/$1 in $ATTEMPTS attempts: $reason"
}

# has_hash FILE SHA256
has_hash() {
  [[ -f $1 ]] && sha256sum --check --status <<<"$2  $1"
}

# fetch_checked KEY FILE SHA256
fetch_checked() {
  fetch "$1" "$2"
  has_hash "$2" "$3" || fail "$base/$1 is not what the manifest declares (SHA-256 $3); it was not run"
}

# fetch_download NAME SHA256: into place in one step, unless it is there already
fetch_download() {
  local file="$CLUSTERFORM_DOWNLOADS/$1"
  if ! has_hash "$file" "$2"; then
    fetch_checked "downloads/$1-$2" "$work/download-$1" "$2"
    chmod 0644 "$work/download-$1"
    mv -f "$work/download-$1" "$file"
  fi
}

# Sorts the manifest's lines: what is to run here goes to selected, what it may need to downloads.
read_manifest() {
  local line name sha256 stages nodes
  while IFS= read -r line; do
    read -r name sha256 stages nodes <<<"${line%%$'\t'*}"
    [[ $name =~ ^[A-Za-z0-9._-]+$ && $sha256 =~ ^[0-9a-f]{64}$ ]] || fail "the manifest has a broken line: $line"
    if [[ $stages == https://* ]]; then
      downloads+=("$name $sha256")
    elif [[ ,$stages, == *,$CLUSTERFORM_STAGE,* && ,$nodes, == *,$CLUSTERFORM_NODE,* ]]; then
      selected+=("$line")
    fi
  done <"$work/manifest"
}

# All at the same time, and all before the first one runs.
fetch_all() {
  local line item name sha256 pid pids=() status=0
  for line in "${selected[@]}"; do
    read -r name sha256 item <<<"${line%%$'\t'*}"
    fetch_checked "scripts/$name-$sha256.sh" "$work/$name.sh" "$sha256" &
    pids+=("$!")
  done
  if ((${#downloads[@]} > 0)); then
    mkdir -p "$CLUSTERFORM_DOWNLOADS"
    for item in "${downloads[@]}"; do
      read -r name sha256 <<<"$item"
      fetch_download "$name" "$sha256" &
      pids+=("$!")
    done
  fi
  for pid in "${pids[@]}"; do
    wait "$pid" || status=$?
  done
  ((status == 0)) || exit "$status"
}

# json_list ARGUMENT...
json_list() {
  local argument list=''
  for argument in "$@"; do
    argument=${argument//\\/\\\\}
    argument=${argument//\"/\\\"}
    list+="${list:+, }\"$argument\""
  done
  printf '[%s]' "$list"
}

# run_script LINE
run_script() {
  local name=${1%% *} rest=$1 args=() log log_dir="$ROOT/var/log/clusterform/$CLUSTERFORM_STAGE" status=0
  while [[ $rest == *$'\t'* ]]; do
    rest=${rest#*$'\t'}
    args+=("${rest%%$'\t'*}")
  done
  set -- "$name" ${args[@]+"${args[@]}"}
  log="$log_dir/$name.log"
  # Scripts may print what only root should read.
  (umask 0027 && mkdir -p "$log_dir" && : >>"$log") || fail "cannot write $log"
  printf '[start %s args=%s @ %(%s)T]\n' "$name" "$(json_list "${@:2}")" -1 >>"$log" || fail "cannot write $log"
  chmod 0700 "$work/$name.sh"
  "$work/$name.sh" "${@:2}" </dev/null >>"$log" 2>&1 || status=$?
  printf '[end %s exit=%d @ %(%s)T]\n' "$name" "$status" -1 >>"$log" || ((status)) || fail "cannot write $log"
  if ((status)); then
    fail "script $name failed with exit code $status in stage $CLUSTERFORM_STAGE; the end of $log:
$(tail -n "$LAST_LINES" "$log")" "$status"
  fi
}

main() {
  (($# >= 4)) || fail "usage: entry.sh s3://BUCKET/entry.sh REGION STAGE STACK_ID"
  [[ $3 =~ ^(start|configured|updated)$ ]] || fail "unknown stage '$3'"
  base=${1%/*}
  region=$2
  find_node
  export CLUSTERFORM_STAGE=$3 CLUSTERFORM_STACK_ID=$4
  export CLUSTERFORM_DOWNLOADS="$ROOT/opt/clusterform/downloads"
  # Whoever started this may have left files open to all, or closed to users.
  umask 0022
  # Updates run with a shorter path than boots: here is the AWS CLI on ParallelCluster's images, and there is what
  # only root calls, such as mount.nfs and ldconfig, without which dpkg refuses to work.
  export PATH="$PATH:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT

  local selected=() downloads=() line
  fetch manifest "$work/manifest"
  read_manifest
  if ((${#selected[@]} > 0)); then
    fetch_all
    for line in "${selected[@]}"; do
      run_script "$line"
    done
  fi
  printf 'clusterform: stage %s on %s node: %d scripts ran in %d s\n' \
    "$CLUSTERFORM_STAGE" "$CLUSTERFORM_NODE" "${#selected[@]}" "$SECONDS"
}

main "$@"

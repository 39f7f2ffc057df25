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
#   CLUSTERFORM_JOBS       on the head node, the directory with the scripts that Slurm is to run around jobs
#
# CLUSTERFORM_ROOT is set by tests only: a directory that takes the place of /.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly ATTEMPTS=3
readonly LAST_LINES=20
readonly LAST_BYTES=8000
readonly GRACE_SECONDS=10
readonly LOCK_SECONDS=900

script=''
log=''

# last_lines FILE: as plain ASCII, since ParallelCluster gives up on standard error that is not UTF-8. Programs that
# draw progress bars part their lines by carriage returns.
last_lines() {
  tail -c "$LAST_BYTES" "$1" | tr '\r' '\n' | LC_ALL=C tr -c '\n\t -~' '?' | tail -n "$LAST_LINES"
}

# write_failure MESSAGE EXIT_CODE LOG LINES
write_failure() {
  local file="$ROOT/var/log/clusterform/failure"
  {
    printf 'message: %s\nscript: %s\nexit code: %d\nstage: %s\nnode: %s\n' \
      "$1" "${script:-none}" "$2" "${CLUSTERFORM_STAGE:-unknown}" "${CLUSTERFORM_NODE:-unknown}"
    TZ=UTC printf 'time: %(%Y-%m-%dT%H:%M:%SZ)T\n' -1
    printf 'log: %s\n\n%s\n' "${3:-none}" "$4"
  } >"$file.new" && chmod 0640 "$file.new" && mv -f "$file.new" "$file"
}

# What ParallelCluster's bootstrap_error_msg says on the head node is the reason that CloudFormation shows. The file
# is written once this script has ended, with the exit code alone, and sent ten seconds later or more: in between,
# this puts the reason before it. Should that come too late, then the exit code alone is shown.
# explain_to_parallelcluster REASON
explain_to_parallelcluster() {
  local file="$ROOT/var/log/parallelcluster/bootstrap_error_msg" attempt text
  # Whoever reads the output of this script must not wait for this.
  exec </dev/null >/dev/null 2>&1
  for ((attempt = 0; attempt < 80; attempt++)); do
    sleep 0.1
    text=$(cat "$file" 2>/dev/null) || text=''
    if [[ -n $text ]]; then
      printf '%s | %s\n' "$1" "$text" >"$file.new"
      mv -f "$file.new" "$file"
      return
    fi
  done
}

# fail MESSAGE [EXIT_CODE [LOG]]: says what went wrong wherever somebody may look for it, and ends. Any of these may
# fail, as on a full disk, and the others are tried.
#
#   /var/log/clusterform/failure
#   standard output          on the head node in cfn-init.log, on other nodes in cloud-init-output.log
#   standard error           on compute nodes in bootstrap_error_msg
#   the system's log         which tells CloudWatch of a failed update of the head node
#   the engine's own reason  on the head node
fail() {
  local message status=${2:-1} log=${3:-} lines='' last=''
  trap '' HUP INT TERM PIPE
  message="clusterform: $(tr '\n' ' ' <<<"${1:0:1000}" | LC_ALL=C tr -c ' -~' '?')"
  message=${message% }
  if [[ -n $log ]]; then
    lines=$(last_lines "$log" 2>/dev/null) || true
    last=$(sed '/^\[end /d; /^[[:space:]]*$/d' <<<"$lines" | tail -n 1)
  fi
  write_failure "$message" "$status" "$log" "$lines" 2>/dev/null || true
  printf '%s%s\n' "$message" "${log:+; the end of $log:}" ${lines:+"" "$lines"} 2>/dev/null || true
  printf '%s%s\n' "$message" "${log:+; the end of $log:}" ${lines:+"" "$lines"} >&2 || true
  logger --tag clusterform -- "$message${last:+: $last}" 2>/dev/null || true
  if [[ ${CLUSTERFORM_NODE:-} == head && $CLUSTERFORM_STAGE != updated && -d $ROOT/var/log/parallelcluster ]]; then
    rm -f "$ROOT/var/log/parallelcluster/bootstrap_error_msg"
    start explain_to_parallelcluster "${message:0:300}${last:+: ${last:0:200}}"
  fi
  exit "$status"
}

# Everything runs in the background, since bash acts on a signal only once what it waits for in the foreground has
# ended, and in process groups, so that a signal ends what a script has started as well.
started=()

# Without the lock: what a script leaves running must not hold it.
# start COMMAND...
start() {
  set -m
  (
    exec 9>&-
    "$@"
  ) &
  set +m
  started+=("$!")
}

# signal_all SIGNAL GROUP...: false once nobody is left
signal_all() {
  local group left=1
  for group in "${@:2}"; do
    if kill "-$1" -- "-$group" 2>/dev/null; then
      left=0
    fi
  done
  return "$left"
}

# on_signal NAME NUMBER
on_signal() {
  local attempt groups status=$((128 + $2))
  trap '' HUP INT TERM
  # Bash knows them even when the signal came before "started" had the last one.
  mapfile -t groups < <(jobs -p)
  signal_all TERM "${groups[@]}" || true
  for ((attempt = 0; attempt < GRACE_SECONDS * 10; attempt++)); do
    signal_all 0 "${groups[@]}" || break
    sleep 0.1
  done
  signal_all KILL "${groups[@]}" || true
  if [[ -n $script ]]; then
    log_end "$status" || true
    fail "signal $1 ended script $script in stage $CLUSTERFORM_STAGE" "$status" "$log"
  fi
  fail "signal $1 ended stage $CLUSTERFORM_STAGE" "$status"
}

# One run at a time: a second one waits for the first, then does its own work.
take_lock() {
  local file="$ROOT/run/clusterform.lock"
  if ! mkdir -p "$ROOT/run" || ! { exec 9>"$file"; }; then
    fail "cannot write $file"
  fi
  if ! flock --nonblock 9; then
    echo "clusterform: waiting for another run on this node to end, $LOCK_SECONDS s at most"
    set -m
    flock --timeout "$LOCK_SECONDS" 9 &
    set +m
    wait "$!" || fail "another run on this node has not ended within $LOCK_SECONDS s; see $ROOT/var/log/clusterform"
  fi
}

# Sets CLUSTERFORM_NODE. Before ParallelCluster has written its configuration there is only the head node.
find_node() {
  local file="$ROOT/etc/parallelcluster/cfnconfig" line kind=HeadNode
  if [[ -e $file || -L $file ]]; then
    [[ -f $file && -r $file ]] || fail "$file cannot be read"
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

# What follows runs in the background, several at a time: the first problem is kept for the one that waits.
# problem MESSAGE
problem() {
  (set -o noclobber && printf '%s\n' "$1" >"$work/problem") 2>/dev/null || true
  return 1
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
  problem "could not fetch $base/$1 in $ATTEMPTS attempts: $reason"
}

# has_hash FILE SHA256
has_hash() {
  [[ -f $1 ]] && sha256sum --check --status <<<"$2  $1"
}

# fetch_checked KEY FILE SHA256
fetch_checked() {
  fetch "$1" "$2" || return
  has_hash "$2" "$3" || problem "$base/$1 is not what the manifest declares (SHA-256 $3); it was not run"
}

# Into place in one step, unless it is there already.
# fetch_download NAME SHA256
fetch_download() {
  local file="$CLUSTERFORM_DOWNLOADS/$1"
  if ! has_hash "$file" "$2"; then
    fetch_checked "downloads/$1-$2" "$work/download-$1" "$2" || return
    { chmod 0644 "$work/download-$1" && mv -f "$work/download-$1" "$file"; } || problem "cannot write $file"
  fi
}

# Waits for everything that was started, and fails with the first problem.
wait_for_fetches() {
  local pid reason status=0
  for pid in "${started[@]}"; do
    wait "$pid" || status=1
  done
  started=()
  if ((status)); then
    reason=$(cat "$work/problem" 2>/dev/null) || true
    fail "${reason:-fetching failed, and why cannot be written to $work: is the disk full?}"
  fi
}

fetch_manifest() {
  start fetch manifest "$work/manifest"
  wait_for_fetches
}

# All at the same time, and all before the first script runs.
fetch_scripts() {
  local line item name sha256 file
  for line in "${selected[@]}"; do
    read -r name sha256 item <<<"${line%%$'\t'*}"
    start fetch_checked "scripts/$name-$sha256.sh" "$work/$name.sh" "$sha256"
  done
  if ((${#downloads[@]} > 0)); then
    mkdir -p "$CLUSTERFORM_DOWNLOADS" || fail "cannot make $CLUSTERFORM_DOWNLOADS"
    for item in "${downloads[@]}"; do
      read -r name sha256 <<<"$item"
      start fetch_download "$name" "$sha256"
    done
  fi
  if ((${#jobs[@]} > 0)); then
    mkdir -p "$CLUSTERFORM_JOBS"/{prolog,epilog}.d || fail "cannot make $CLUSTERFORM_JOBS"
    for item in "${jobs[@]}"; do
      read -r name sha256 file <<<"$item"
      start fetch_checked "scripts/$name-$sha256.sh" "$CLUSTERFORM_JOBS/$file" "$sha256"
    done
  fi
  wait_for_fetches
}

# Sorts the manifest's lines: what is to run here goes to selected, what it may need to downloads. The entry script's
# own line is the first, and every line has its end: otherwise something is missing, and nothing runs.
read_manifest() {
  local line name sha256 stages nodes file first=1
  while IFS= read -r line || { [[ -n $line ]] && fail "the manifest ends within a line: $line"; }; do
    read -r name sha256 stages nodes <<<"${line%%$'\t'*}"
    [[ $name =~ ^[A-Za-z0-9._-]+$ && $sha256 =~ ^[0-9a-f]{64}$ ]] || fail "the manifest has a broken line: $line"
    if ((first)) && [[ $stages != entry ]]; then
      fail "the manifest does not begin with the entry script's line: $line"
    fi
    first=0
    if [[ $stages == https://* ]]; then
      if [[ -z $nodes || ,$nodes, == *,$CLUSTERFORM_NODE,* ]]; then
        downloads+=("$name $sha256")
      fi
    elif [[ $stages == job ]]; then
      file=${line#*$'\t'}
      [[ $file =~ ^(prolog|epilog)\.d/[A-Za-z0-9._-]+$ ]] || fail "the manifest has a broken line: $line"
      if [[ ,$nodes, == *,$CLUSTERFORM_NODE,* ]]; then
        jobs+=("$name $sha256 $file")
      fi
    elif [[ ,$stages, == *,$CLUSTERFORM_STAGE,* && ,$nodes, == *,$CLUSTERFORM_NODE,* ]]; then
      selected+=("$line")
    fi
  done <"$work/manifest"
  ((first == 0)) || fail "the manifest is empty"
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

# log_end EXIT_CODE
log_end() {
  printf '[end %s exit=%d @ %(%s)T]\n' "$script" "$1" -1 >>"$log"
}

# run_script LINE
run_script() {
  local rest=$1 args=() status=0 how='' directory="$ROOT/var/log/clusterform/$CLUSTERFORM_STAGE"
  script=${1%% *}
  log="$directory/$script.log"
  while [[ $rest == *$'\t'* ]]; do
    rest=${rest#*$'\t'}
    args+=("${rest%%$'\t'*}")
  done
  set -- ${args[@]+"${args[@]}"}
  # Scripts may print what only root should read.
  (umask 0027 && mkdir -p "$directory" && : >>"$log") || fail "cannot write $log"
  printf '[start %s args=%s @ %(%s)T]\n' "$script" "$(json_list "$@")" -1 >>"$log" || fail "cannot write $log"
  chmod 0700 "$work/$script.sh"
  start "$work/$script.sh" "$@" </dev/null >>"$log" 2>&1
  wait "${started[0]}" || status=$?
  started=()
  log_end "$status" || ((status)) || fail "cannot write $log"
  if ((status > 128)); then
    how=" (signal $(kill -l "$status" 2>/dev/null || echo unknown))"
  fi
  if ((status)); then
    fail "script $script failed with exit code $status$how in stage $CLUSTERFORM_STAGE" "$status" "$log"
  fi
  script=''
}

main() {
  (($# >= 4)) || fail "usage: entry.sh s3://BUCKET/entry.sh REGION STAGE STACK_ID"
  [[ $3 =~ ^(start|configured|updated)$ ]] || fail "unknown stage '$3'"
  base=${1%/*}
  region=$2
  export CLUSTERFORM_STAGE=$3 CLUSTERFORM_STACK_ID=$4
  export CLUSTERFORM_DOWNLOADS="$ROOT/opt/clusterform/downloads"
  find_node
  # Whoever started this may have left files open to all, or closed to users.
  umask 0022
  # Updates run with a shorter path than boots: here is the AWS CLI on ParallelCluster's images, and there is what
  # only root calls, such as mount.nfs and ldconfig, without which dpkg refuses to work.
  export PATH="$PATH:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin"
  trap 'on_signal HUP 1' HUP
  trap 'on_signal INT 2' INT
  trap 'on_signal TERM 15' TERM
  take_lock
  rm -f "$ROOT/var/log/clusterform/failure" || true
  work=$(mktemp -d) || fail "cannot make a temporary directory: is the disk full?"
  trap 'rm -rf "$work"' EXIT

  export CLUSTERFORM_JOBS="$work/jobs"
  local selected=() downloads=() jobs=() line
  fetch_manifest
  read_manifest
  if ((${#selected[@]} > 0)); then
    fetch_scripts
    for line in "${selected[@]}"; do
      run_script "$line"
    done
  fi
  printf 'clusterform: stage %s on %s node: %d scripts ran in %d s\n' \
    "$CLUSTERFORM_STAGE" "$CLUSTERFORM_NODE" "${#selected[@]}" "$SECONDS"
}

main "$@"

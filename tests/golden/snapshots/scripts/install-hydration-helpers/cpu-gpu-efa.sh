#!/bin/bash
# Puts the commands that move data between Lustre and S3 into /opt/clusterform/bin. Nothing runs by itself.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
readonly FOLDER="$ROOT/opt/clusterform/bin"

# write_command NAME, from standard input
write_command() {
  cat >"$FOLDER/$1.new"
  chown root:root "$FOLDER/$1.new"
  chmod 0755 "$FOLDER/$1.new"
  mv -f "$FOLDER/$1.new" "$FOLDER/$1"
}

mkdir -p "$FOLDER"
write_command import-s3-to-lustre.sh <<'CLUSTERFORM_COMMAND'
#!/bin/bash
# Loads files from S3 into Lustre before a job needs them: import-s3-to-lustre.sh [--dry-run] [PATH...]
#
# Lustre shows what is in S3 at once, and loads a file's content when it is first read. This asks for all of it, or
# for what lies below each PATH. Files that are loaded already are left out, so a second run shows what is still
# on its way, and goes on after an interruption. Lustre works in the background.
#
# Exit status: 0 asked for, 2 an error.
set -euo pipefail

readonly MOUNTS=(/fsx)
readonly BATCH=100

fail() {
  echo "${0##*/}: $1" >&2
  exit 2
}

# Sets paths and dry_run from the command line.
# read_arguments ARGUMENT...
read_arguments() {
  local argument mount
  paths=() dry_run=''
  for argument in "$@"; do
    case $argument in
      -h | --help) sed -n '2,/^set/{/^#/!d; s/^# \{0,1\}//; p}' "$0" && exit 0 ;;
      -n | --dry-run) dry_run=yes ;;
      -*) fail "unknown option $argument; see --help" ;;
      *) paths+=("$argument") ;;
    esac
  done
  if ((${#paths[@]} == 0)); then
    paths=("${MOUNTS[@]}")
  fi
  for argument in "${paths[@]}"; do
    [[ -e $argument ]] || fail "$argument is not there"
    for mount in "${MOUNTS[@]}"; do
      [[ $(realpath "$argument")/ != "$(realpath "$mount")"/* ]] || continue 2
    done
    fail "$argument is not on ${MOUNTS[*]}, the filesystem that loads from S3 and writes back"
  done
  command -v lfs >/dev/null || fail "the Lustre client's lfs is missing on this node"
}

# Needed for all that asks Lustre to move data.
require_root() {
  [[ -n $dry_run || ${EUID:-$(id -u)} == 0 ]] || fail "run it with sudo: only root may ask Lustre to move data"
}

# Every file's state, a line each: PATH: (0xFLAGS) words. A name with a line break would be taken for two.
states() {
  local broken
  broken=$(find "${paths[@]}" -type f -name $'*\n*' -printf x | wc -c)
  if ((broken)); then
    echo "${0##*/}: $broken files are left out, since their names hold a line break" >&2
  fi
  find "${paths[@]}" -type f ! -name $'*\n*' -print0 | xargs -0 -r -n "$BATCH" lfs hsm_state
}

# split_state LINE: sets file and flags
split_state() {
  [[ $1 =~ ^(.*):\ \(0x[0-9a-f]+\)(.*)$ ]] || fail "lfs hsm_state gave a line that this script does not know: $1"
  file=${BASH_REMATCH[1]} flags="${BASH_REMATCH[2]%%,*} "
}

# Whether S3 has the file as it is now.
is_exported() {
  [[ $flags == *" archived "* && $flags != *" dirty "* && $flags != *" lost "* ]]
}

# request ACTION WANTED: asks Lustre for ACTION on each file that WANTED says yes to, in the background of Lustre
request() {
  local line file flags count=0 total=0 chosen
  chosen=$(mktemp)
  # shellcheck disable=SC2064
  trap "rm -f '$chosen'" EXIT
  states >"$chosen.states" || fail "the state of the files could not be read"
  while IFS= read -r line; do
    total=$((total + 1))
    split_state "$line"
    if "$2"; then
      count=$((count + 1))
      printf '%s\0' "$file" >>"$chosen"
    fi
  done <"$chosen.states"
  rm -f "$chosen.states"
  if [[ -n $dry_run ]]; then
    tr '\0' '\n' <"$chosen"
    echo "$count of $total files would be asked for" >&2
    return
  fi
  xargs -0 -r -n "$BATCH" lfs "$1" <"$chosen" || fail "Lustre refused some files, see above; the others go on. Run it again for the rest"
  echo "$count of $total files asked for; Lustre moves them in the background. To go on after an interruption, run it again"
}

is_in_s3_alone() {
  [[ $flags == *" released "* ]]
}

read_arguments "$@"
require_root
request hsm_restore is_in_s3_alone
CLUSTERFORM_COMMAND
write_command export-lustre-to-s3.sh <<'CLUSTERFORM_COMMAND'
#!/bin/bash
# Writes new and changed files from Lustre back to S3: export-lustre-to-s3.sh [--dry-run] [PATH...]
#
# Nothing is written back by itself. This asks for all files that S3 does not have as they are now, or for those below
# each PATH. Files that S3 has are left out, so a second run goes on after an interruption. Lustre works in the
# background: check-lustre-export-progress.sh tells when S3 has everything. A file that is removed from Lustre stays
# in S3.
#
# Exit status: 0 asked for, 2 an error.
set -euo pipefail

readonly MOUNTS=(/fsx)
readonly BATCH=100

fail() {
  echo "${0##*/}: $1" >&2
  exit 2
}

# Sets paths and dry_run from the command line.
# read_arguments ARGUMENT...
read_arguments() {
  local argument mount
  paths=() dry_run=''
  for argument in "$@"; do
    case $argument in
      -h | --help) sed -n '2,/^set/{/^#/!d; s/^# \{0,1\}//; p}' "$0" && exit 0 ;;
      -n | --dry-run) dry_run=yes ;;
      -*) fail "unknown option $argument; see --help" ;;
      *) paths+=("$argument") ;;
    esac
  done
  if ((${#paths[@]} == 0)); then
    paths=("${MOUNTS[@]}")
  fi
  for argument in "${paths[@]}"; do
    [[ -e $argument ]] || fail "$argument is not there"
    for mount in "${MOUNTS[@]}"; do
      [[ $(realpath "$argument")/ != "$(realpath "$mount")"/* ]] || continue 2
    done
    fail "$argument is not on ${MOUNTS[*]}, the filesystem that loads from S3 and writes back"
  done
  command -v lfs >/dev/null || fail "the Lustre client's lfs is missing on this node"
}

# Needed for all that asks Lustre to move data.
require_root() {
  [[ -n $dry_run || ${EUID:-$(id -u)} == 0 ]] || fail "run it with sudo: only root may ask Lustre to move data"
}

# Every file's state, a line each: PATH: (0xFLAGS) words. A name with a line break would be taken for two.
states() {
  local broken
  broken=$(find "${paths[@]}" -type f -name $'*\n*' -printf x | wc -c)
  if ((broken)); then
    echo "${0##*/}: $broken files are left out, since their names hold a line break" >&2
  fi
  find "${paths[@]}" -type f ! -name $'*\n*' -print0 | xargs -0 -r -n "$BATCH" lfs hsm_state
}

# split_state LINE: sets file and flags
split_state() {
  [[ $1 =~ ^(.*):\ \(0x[0-9a-f]+\)(.*)$ ]] || fail "lfs hsm_state gave a line that this script does not know: $1"
  file=${BASH_REMATCH[1]} flags="${BASH_REMATCH[2]%%,*} "
}

# Whether S3 has the file as it is now.
is_exported() {
  [[ $flags == *" archived "* && $flags != *" dirty "* && $flags != *" lost "* ]]
}

# request ACTION WANTED: asks Lustre for ACTION on each file that WANTED says yes to, in the background of Lustre
request() {
  local line file flags count=0 total=0 chosen
  chosen=$(mktemp)
  # shellcheck disable=SC2064
  trap "rm -f '$chosen'" EXIT
  states >"$chosen.states" || fail "the state of the files could not be read"
  while IFS= read -r line; do
    total=$((total + 1))
    split_state "$line"
    if "$2"; then
      count=$((count + 1))
      printf '%s\0' "$file" >>"$chosen"
    fi
  done <"$chosen.states"
  rm -f "$chosen.states"
  if [[ -n $dry_run ]]; then
    tr '\0' '\n' <"$chosen"
    echo "$count of $total files would be asked for" >&2
    return
  fi
  xargs -0 -r -n "$BATCH" lfs "$1" <"$chosen" || fail "Lustre refused some files, see above; the others go on. Run it again for the rest"
  echo "$count of $total files asked for; Lustre moves them in the background. To go on after an interruption, run it again"
}

is_not_exported() {
  ! is_exported
}

read_arguments "$@"
require_root
request hsm_archive is_not_exported
CLUSTERFORM_COMMAND
write_command check-lustre-export-progress.sh <<'CLUSTERFORM_COMMAND'
#!/bin/bash
# Tells how many files S3 has as they are now in Lustre: check-lustre-export-progress.sh [PATH...]
#
# Exit status: 0 all of them, 1 not yet, 2 an error. So a job's script can wait for it:
#   until check-lustre-export-progress.sh /fsx/results; do sleep 60; done
set -euo pipefail

readonly MOUNTS=(/fsx)
readonly BATCH=100

fail() {
  echo "${0##*/}: $1" >&2
  exit 2
}

# Sets paths and dry_run from the command line.
# read_arguments ARGUMENT...
read_arguments() {
  local argument mount
  paths=() dry_run=''
  for argument in "$@"; do
    case $argument in
      -h | --help) sed -n '2,/^set/{/^#/!d; s/^# \{0,1\}//; p}' "$0" && exit 0 ;;
      -n | --dry-run) dry_run=yes ;;
      -*) fail "unknown option $argument; see --help" ;;
      *) paths+=("$argument") ;;
    esac
  done
  if ((${#paths[@]} == 0)); then
    paths=("${MOUNTS[@]}")
  fi
  for argument in "${paths[@]}"; do
    [[ -e $argument ]] || fail "$argument is not there"
    for mount in "${MOUNTS[@]}"; do
      [[ $(realpath "$argument")/ != "$(realpath "$mount")"/* ]] || continue 2
    done
    fail "$argument is not on ${MOUNTS[*]}, the filesystem that loads from S3 and writes back"
  done
  command -v lfs >/dev/null || fail "the Lustre client's lfs is missing on this node"
}

# Needed for all that asks Lustre to move data.
require_root() {
  [[ -n $dry_run || ${EUID:-$(id -u)} == 0 ]] || fail "run it with sudo: only root may ask Lustre to move data"
}

# Every file's state, a line each: PATH: (0xFLAGS) words. A name with a line break would be taken for two.
states() {
  local broken
  broken=$(find "${paths[@]}" -type f -name $'*\n*' -printf x | wc -c)
  if ((broken)); then
    echo "${0##*/}: $broken files are left out, since their names hold a line break" >&2
  fi
  find "${paths[@]}" -type f ! -name $'*\n*' -print0 | xargs -0 -r -n "$BATCH" lfs hsm_state
}

# split_state LINE: sets file and flags
split_state() {
  [[ $1 =~ ^(.*):\ \(0x[0-9a-f]+\)(.*)$ ]] || fail "lfs hsm_state gave a line that this script does not know: $1"
  file=${BASH_REMATCH[1]} flags="${BASH_REMATCH[2]%%,*} "
}

# Whether S3 has the file as it is now.
is_exported() {
  [[ $flags == *" archived "* && $flags != *" dirty "* && $flags != *" lost "* ]]
}

# request ACTION WANTED: asks Lustre for ACTION on each file that WANTED says yes to, in the background of Lustre
request() {
  local line file flags count=0 total=0 chosen
  chosen=$(mktemp)
  # shellcheck disable=SC2064
  trap "rm -f '$chosen'" EXIT
  states >"$chosen.states" || fail "the state of the files could not be read"
  while IFS= read -r line; do
    total=$((total + 1))
    split_state "$line"
    if "$2"; then
      count=$((count + 1))
      printf '%s\0' "$file" >>"$chosen"
    fi
  done <"$chosen.states"
  rm -f "$chosen.states"
  if [[ -n $dry_run ]]; then
    tr '\0' '\n' <"$chosen"
    echo "$count of $total files would be asked for" >&2
    return
  fi
  xargs -0 -r -n "$BATCH" lfs "$1" <"$chosen" || fail "Lustre refused some files, see above; the others go on. Run it again for the rest"
  echo "$count of $total files asked for; Lustre moves them in the background. To go on after an interruption, run it again"
}

read_arguments "$@"
found=$(states) || fail "the state of the files could not be read"
exported=0 left=0
while IFS= read -r line; do
  [[ -n $line ]] || continue
  split_state "$line"
  if is_exported; then
    exported=$((exported + 1))
  else
    left=$((left + 1))
  fi
done <<<"$found"
echo "$exported of $((exported + left)) files are in S3 as they are now, $left are not"
((left == 0))
CLUSTERFORM_COMMAND

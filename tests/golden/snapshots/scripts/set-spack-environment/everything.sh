#!/bin/bash
# Gives users Spack, and Lmod where it was built, when they log in: set_environment.sh DIRECTORY
#
# On every node, since jobs find the software in the package directory too. To load all of Spack takes a second or
# more: that is left to the first use of its command.
set -euo pipefail

readonly ROOT="${CLUSTERFORM_ROOT:-}"
# After modules.sh, which defines the image's module command.
readonly FILE="$ROOT/etc/profile.d/zz-clusterform-spack.sh"

mkdir -p "${FILE%/*}"
cat >"$FILE.new" <<EOF
# Written by Clusterform at every boot and update: edits do not last.
if [ -x "$ROOT$1/bin/spack" ]; then
  SPACK_ROOT="$ROOT$1"
EOF
cat >>"$FILE.new" <<'EOF'
  export SPACK_ROOT
  case ":$PATH:" in
    *":$SPACK_ROOT/bin:"*) ;;
    *) PATH="$PATH:$SPACK_ROOT/bin" ;;
  esac
  spack() {
    unset -f spack
    . "$SPACK_ROOT/share/spack/setup-env.sh"
    spack "$@"
  }
  clusterform_lmod="$SPACK_ROOT/lmod-ubuntu22.04-$(uname -m)/lmod/lmod/init"
  if [ -r "$clusterform_lmod/sh" ]; then
    if [ -n "${BASH_VERSION:-}" ]; then
      . "$clusterform_lmod/bash"
    else
      . "$clusterform_lmod/sh"
    fi
  fi
  for clusterform_modules in "$SPACK_ROOT/share/spack/modules/linux-ubuntu22.04"-*; do
    case ":${MODULEPATH:-}:" in
      *":$clusterform_modules:"*) ;;
      *) [ ! -d "$clusterform_modules" ] || export MODULEPATH="${MODULEPATH:+$MODULEPATH:}$clusterform_modules" ;;
    esac
  done
  unset clusterform_lmod clusterform_modules
fi
EOF
chmod 0644 "$FILE.new"
mv -f "$FILE.new" "$FILE"

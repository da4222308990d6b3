# Shared by the scripts in Tools: sourced, never run. Everything it prints goes to stderr.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
packages=(libopenblas-dev libpng-dev libjpeg-dev zlib1g-dev)

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $*"
  exit 1
}

need_swift() {
  command -v swift >/dev/null || fail "swift is not on the PATH. Install Swift 6.3 or later:" \
    "https://www.swift.org/install/linux/"
}

# Debian's development packages of the C libraries; apt-get runs only when one is missing.
install_packages() {
  command -v dpkg-query >/dev/null || return 0  # Not Debian: the compiler will name what is missing.
  local missing=() package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "these packages are missing: ${missing[*]}. Run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
    [[ -t 0 ]] || as_root=(sudo -n)  # Nobody is there to type a password.
  fi
  say "Installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3)
  { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >&2 ||
    fail "apt-get could not install ${missing[*]}. Install them by hand, then run this again."
}

# `build NAME…` runs `swift build -c release NAME…`: with its own progress line on a terminal,
# silently elsewhere unless it fails.
build() {
  if [[ -t 2 ]]; then
    swift build --package-path "$root" -c release "$@" >&2 || fail "the build failed."
    return
  fi
  local log
  log=$(mktemp)
  if ! swift build --package-path "$root" -c release "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "the build failed."
  fi
  rm -f "$log"
}

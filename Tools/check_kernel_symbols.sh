#!/usr/bin/env bash
# Fails where the release build's kernel objects could run on the wrong CPU, or slowly:
#
# - A weak function in an object compiled for AVX2 or AVX-512 that another object defines as well. The
#   linker keeps one of the two, so a CPU without the instructions may be sent into the other.
# - A function that two kernel modules share for the same reason, whatever their flags.
# - A call to fmaf where there is an FMA instruction: the flags were lost, and it is some 20 times slower.
#
# `Tools/check_kernel_symbols.sh` builds nothing; run `swift build -c release` before.
set -euo pipefail

. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/lib/setup.sh"
cd "$root"
bin=$(swift build -c release --show-bin-path)
kernels=(KernelsBaseline KernelsAVX2 KernelsAVX512 KernelsBFloat16)
status=0

complain() {
  printf 'kernel symbols: %s\n' "$*" >&2
  status=1
}

# "symbol object" for every weak function (type W) of the objects given.
weak_functions() { nm --defined-only --print-file-name "$@" | awk '$(NF-1) == "W" { sub(/:.*/, "", $1); print $NF, $1 }'; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for module in "${kernels[@]}"; do
  objects=("$bin/$module.build"/*.o)
  [[ -e ${objects[0]} ]] || { complain "$module is not built in $bin"; continue; }
  weak_functions "${objects[@]}" | cut -d' ' -f1 | sort -u > "$work/$module.weak"
  [[ $(uname -m) == x86_64 && $module != KernelsBaseline ]] || continue
  nm --undefined-only "${objects[@]}" | grep -qw fmaf && complain "$module calls fmaf"
done
((status == 0)) || exit 1

for module in "${kernels[@]}"; do
  # Everything else that the build links: its own objects may name a symbol once each.
  find "$bin" -name '*.o' -path '*.build/*' ! -path "*/$module.build/*" -print0 |
    xargs -0 nm --defined-only 2> /dev/null | awk 'NF == 3 { print $3 }' | sort -u > "$work/others"
  while read -r symbol; do
    complain "$module shares the weak function $symbol ($(swift demangle --compact "$symbol"))"
  done < <(comm -12 "$work/$module.weak" "$work/others")
done
((status == 0)) && echo "kernel symbols: nothing shared, no fmaf"
exit $status

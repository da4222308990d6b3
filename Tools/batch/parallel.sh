#!/usr/bin/env bash
# Spreads a file of requests for `samswift batch` over several processes with GNU parallel.
#
#   parallel.sh REQUESTS.jsonl ANSWERS.jsonl [PROCESSES]
#
# Every request needs an id of its own: each process numbers its lines from 1. The answers come in the
# order of the requests. One thread a process is the fastest way through many pictures: a picture then
# waits for no other, and the processes share the weights' pages. SAMSWIFT names the program, and
# SAMSWIFT_BLOCK how many requests a process takes at a time.
set -euo pipefail

(($# == 2 || $# == 3)) || { sed -n '4p' "$0" | cut -c5- >&2; exit 64; }
program=${SAMSWIFT:-samswift}
parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
  { echo "error: GNU parallel is not here. Install it: apt-get install parallel" >&2; exit 1; }

# The answers appear under their name when all of them are there.
unfinished=$(mktemp "$2.XXXXXX")
trap 'rm -f "$unfinished"' EXIT
parallel --will-cite --pipe --keep-order -N "${SAMSWIFT_BLOCK:-64}" -j "${3:-$(nproc)}" \
  "$program" batch --threads 1 <"$1" >"$unfinished"
mv "$unfinished" "$2"

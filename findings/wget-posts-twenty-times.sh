#!/usr/bin/env bash
# GNU Wget 1.21.3, as Debian 12 has it (wget 1.21.3-1).
#
# Question: a server reads the POST of `wget --post-data` and closes the connection without an answer. How many POSTs does it get?
# Expected: one, and an error: a POST may have done its work.
# What happens: twenty. --tries counts for POST as for GET, and its default is 20. Between two of them are 1, 2, 3 ... up to 10
# seconds (--waitretry), so this goes on for almost three minutes. It does the same when an answer takes too long (--read-timeout).
# An answer of 500, 503 or 429 is not tried again.
#
#   closed without an answer: 20 POSTs      no answer in time: 20 POSTs      503: 1 POST
#
# Why it matters: the POST asks for a code. A server, or a proxy in between, that dies after sending costs twenty texts to one telephone.
# `--tries=1` ends it; an idempotency key makes it harmless.
# Where documented: the manual has 20 as the default of --tries. It says nothing about POST.
set -euo pipefail
PACKAGE='wget=1.21.3-1*'
EXPECT='closed without an answer: 20 POST, exit 4
no answer in time: 20 POST, exit 4
answered 503: 1 POST, exit 8
closed, with --tries=1: 1 POST, exit 4'

dir=$(mktemp -d)
server=
trap 'kill $server || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu"

cat >server.mjs <<'NODE'
import { createServer } from 'node:http'
import { appendFileSync, writeFileSync } from 'node:fs'
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    appendFileSync('seen', `${request.method}\n`)
    if (request.url === '/close') request.socket.destroy()
    if (request.url === '/busy') response.writeHead(503, { 'Retry-After': '1' }).end()
  })
}).listen(0, '127.0.0.1', () => writeFileSync('port', `${server.address().port}\n`))
NODE
node server.mjs &
server=$!
until [ -s port ]; do sleep 0.1; done

ask() { # NAME PATH [OPTION]
  local exit=0
  : >seen
  # --waitretry=0 only leaves out the pauses
  root/usr/bin/wget --quiet --no-proxy --waitretry=0 --read-timeout=0.5 --post-data=code=1 --output-document=/dev/null "${@:3}" \
    "http://127.0.0.1:$(cat port)$2" || exit=$?
  echo "$1: $(grep -c POST seen) POST, exit $exit"
}
seen=$(ask 'closed without an answer' /close
ask 'no answer in time' /slow
ask 'answered 503' /busy
ask 'closed, with --tries=1' /close --tries=1)
root/usr/bin/wget --version | sed -n '1s/ built.*//p'
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: one POST becomes twenty."

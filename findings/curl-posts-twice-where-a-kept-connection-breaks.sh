#!/usr/bin/env bash
# curl 7.88.1 and HAProxy 2.6.12, as Debian 12 has them.
#
# Question: a server reads a POST and closes the connection without an answer. Does curl send it again?
# Expected: no. Without --retry curl sends once, and a POST may have done its work.
# What happens: it depends on whether the connection was used before. On a fresh one curl gives up with exit 52. On a kept one it takes
# the close for an idle connection that ended, and sends the POST again on a fresh connection, without a word.
# HAProxy in between answers 502 on a fresh connection of its client. On a kept one it closes without an answer, which lets
# the client try again. Then curl does.
#
#   straight to the server, fresh connection:  1 POST,  exit 52
#   straight to the server, kept connection:   2 POSTs, exit 52
#   through HAProxy, fresh connection:         1 POST,  502
#   through HAProxy, kept connection:          2 POSTs, 502
#
# Why it matters: the POST asks for a code. If the server dies between sending the text and answering, the telephone gets two. libcurl
# is also what PHP, and clients on top of it, keep connections with. Send an idempotency key, or take a fresh connection for such a
# POST (`-H 'Connection: close'` on the request before it, or CURLOPT_FRESH_CONNECT).
# Where documented: in neither manual, as far as we found.
set -euo pipefail
PACKAGES=('curl=7.88.1-10*' 'haproxy=2.6.12-1*')
EXPECT='server, fresh connection: 1 POST, 000 exit 52
server, kept connection: 2 POST, 000 exit 52
HAProxy, fresh connection: 1 POST, 502 exit 0
HAProxy, kept connection: 2 POST, 502 exit 0'

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the packages, and those of their libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "${PACKAGES[@]}" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu"

# answers /ok; reads /close to the end and closes
cat >server.mjs <<'NODE'
import { createServer } from 'node:http'
import { appendFileSync, writeFileSync } from 'node:fs'
const server = createServer((request, response) => {
  let body = ''
  request.on('data', data => { body += data }).on('end', () => {
    appendFileSync('seen', `${request.method} ${request.url} ${body}\n`)
    if (request.url === '/ok') response.end('ok')
    else request.socket.destroy()
  })
}).listen(0, '127.0.0.1', () => {
  const free = createServer().listen(0, '127.0.0.1', () => { // a port for HAProxy
    writeFileSync('ports', `${server.address().port} ${free.address().port}\n`)
    free.close()
  })
})
NODE
node server.mjs &
started+=($!)
until [ -s ports ]; do sleep 0.1; done
read -r server proxy <ports
cat >haproxy.cfg <<CONF
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
listen proxy
  bind 127.0.0.1:$proxy
  server one 127.0.0.1:$server
CONF
root/usr/sbin/haproxy -f haproxy.cfg 2>/dev/null &
started+=($!)
until (exec 3<>"/dev/tcp/127.0.0.1/$proxy") 2>/dev/null; do sleep 0.1; done

curl() { root/usr/bin/curl --silent --output /dev/null "$@"; }
ask() { # NAME PORT
  local exit=0 status
  : >seen
  status=$(curl --data code=1 --write-out '%{http_code}' "http://127.0.0.1:$2/close") || exit=$?
  echo "$1, fresh connection: $(grep -c 'POST /close' seen) POST, $status exit $exit"
  : >seen
  exit=0
  status=$(curl "http://127.0.0.1:$2/ok" --next --silent --output /dev/null --data code=1 --write-out '%{http_code}' \
    "http://127.0.0.1:$2/close") || exit=$?
  echo "$1, kept connection: $(grep -c 'POST /close' seen) POST, $status exit $exit"
}
seen=$(ask server "$server"; ask HAProxy "$proxy")
root/usr/bin/curl --version | cut -d' ' -f1-2 | sed -n 1p
root/usr/sbin/haproxy -v | cut -d' ' -f1-3 | sed -n 1p
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: a kept connection that breaks makes two POSTs of one."

#!/usr/bin/env bash
# Caddy 2.6.2, as Debian 12 has it (caddy 2.6.2-5), as a reverse proxy with nothing but an address.
#
# Question: the server behind it reads a POST on a kept connection and closes without an answer. Does Caddy send the POST again?
# Expected: no, and what headers the POST has does not matter. Caddy answers 502.
# What happens: with a body, no. Without a body, it depends on a header: with `Idempotency-Key` or `X-Idempotency-Key` the server gets the POST
# twice. Go's HTTP client, which Caddy sends with, takes such a POST for one that may be repeated. A body it cannot play back, so with
# a body the header changes nothing.
#
#   POST with a body                            1
#   POST with a body and Idempotency-Key        1
#   POST without a body                         1
#   POST without a body, with Idempotency-Key   2
#
# Why it matters: "send the code again" is often a POST to an address, without a body. A server that passes the key over, because it does not know it,
# gets the header from careful clients, and sends two codes where it would have sent one without the header.
# Where documented: the documentation of Go's net/http, type Transport. Caddy's says of lb_retries that POST is not tried again by default.
set -euo pipefail
PACKAGE='caddy=2.6.2-5*'
EXPECT='with a body: 1 POST, 502
with a body and Idempotency-Key: 1 POST, 502
without a body: 1 POST, 502
without a body, with Idempotency-Key: 2 POST, 502
without a body, with X-Idempotency-Key: 2 POST, 502'

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" download "$PACKAGE"
dpkg -x caddy_*.deb root

# answers /ok; reads /close to the end and closes
cat >server.mjs <<'NODE'
import { createServer } from 'node:http'
import { appendFileSync, writeFileSync } from 'node:fs'
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    appendFileSync('seen', `${request.method} ${request.url}\n`)
    if (request.url === '/ok') response.end('ok')
    else request.socket.destroy()
  })
}).listen(0, '127.0.0.1', () => {
  const free = createServer().listen(0, '127.0.0.1', () => { // a port for Caddy
    writeFileSync('ports', `${server.address().port} ${free.address().port}\n`)
    free.close()
  })
})
NODE
node server.mjs &
started+=($!)
until [ -s ports ]; do sleep 0.1; done
read -r server proxy <ports
printf '{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:%s {\n reverse_proxy 127.0.0.1:%s\n}\n' "$proxy" "$server" >Caddyfile
export HOME="$dir" XDG_DATA_HOME="$dir/data" XDG_CONFIG_HOME="$dir/config"
root/usr/bin/caddy run --config Caddyfile --adapter caddyfile >caddy.log 2>&1 &
started+=($!)
until (exec 3<>"/dev/tcp/127.0.0.1/$proxy") 2>/dev/null; do sleep 0.1; done

cat >ask.mjs <<'NODE'
import { readFileSync, writeFileSync } from 'node:fs'
const proxy = `http://127.0.0.1:${process.argv[2]}`
async function ask(name, body, headers) {
  await (await fetch(`${proxy}/ok`, { method: 'POST', body: 'x' })).text() // leaves a connection to the server
  writeFileSync('seen', '')
  const { status } = await fetch(`${proxy}/close`, { method: 'POST', body, headers })
  const posts = readFileSync('seen', 'utf8').split('\n').filter(line => line === 'POST /close').length
  console.log(`${name}: ${posts} POST, ${status}`)
}
await ask('with a body', 'code', {})
await ask('with a body and Idempotency-Key', 'code', { 'Idempotency-Key': 'k' })
await ask('without a body', undefined, {})
await ask('without a body, with Idempotency-Key', undefined, { 'Idempotency-Key': 'k' })
await ask('without a body, with X-Idempotency-Key', undefined, { 'X-Idempotency-Key': 'k' })
NODE
seen=$(timeout 20 node ask.mjs "$proxy")
root/usr/bin/caddy version
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: the key that makes a repetition harmless is what brings it about."

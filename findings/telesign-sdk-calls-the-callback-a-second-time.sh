#!/usr/bin/env bash
# The Telesign SDK calls the callback a second time if it throws
#
# Installed: telesignsdk 3.0.4 (npm), under Node 20, against a local server.
#
# Question: Telesign has accepted a message, and the callback of `sms.message` throws, for example
# because the database is locked. Who sees the error?
#
# Expected: nobody but the process: an uncaught exception, as in other callbacks of Node.
#
# What happens: the SDK takes it for a fault of the network. It writes "FATAL ERROR ... Problems
# contacting Telesign Servers. Check your internet connection." and calls the callback again, now with
# the callback's own error:
#
#   first call: accepted, r1
#   second call: Error: database is locked
#
# Why: it calls the callback inside of `.then`, which a `.catch` follows that calls it, too.
#
# Why it matters: a callback that turns to the second carrier after an error sends the code again,
# though the first one has it and bills it. So two messages arrive. The log blames the
# connection, and no trace leads to the line that threw. Catch everything in the callback, or
# only resolve a promise there.
set -euo pipefail

TELESIGN=3.0.4
EXPECT='callback returns
  accepted, r1
  requests to Telesign: 1, sent by the other carrier: 0, uncaught: none, logged: nothing
callback throws
  accepted, r1
  Error: database is locked
  requests to Telesign: 1, sent by the other carrier: 1, uncaught: none, logged: Check your internet connection'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "telesignsdk@$TELESIGN" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');
const { setTimeout: wait } = require('node:timers/promises');
const TeleSignSDK = require('telesignsdk');

let requests;
const accepted = JSON.stringify({ reference_id: 'r1', status: { code: 290, description: 'Message in progress' } });
const server = http.createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => response.end(accepted));
});

server.listen(0, '127.0.0.1', async () => {
  const client = new TeleSignSDK('example', 'ZXhhbXBsZQ==', `http://127.0.0.1:${server.address().port}`);
  let uncaught;
  let logged;
  process.on('uncaughtException', (error) => { uncaught = error.message; });
  console.error = (line) => { logged = /Check your internet connection/.exec(line)?.[0] ?? line; };

  for (const store of [() => {}, () => { throw new Error('database is locked'); }]) {
    requests = 0;
    uncaught = 'none';
    logged = 'nothing';
    let byTheOther = 0;
    const answered = (error, body) => {
      console.log(`  ${error ?? `accepted, ${body.reference_id}`}`);
      if (error) byTheOther += 1; // where a program turns to its second carrier
      else store();
    };
    console.log(`callback ${store.toString().includes('throw') ? 'throws' : 'returns'}`);
    client.sms.message(answered, '447700900123', 'Your code is 482913', 'OTP');
    await wait(1000);
    console.log(`  requests to Telesign: ${requests}, sent by the other carrier: ${byTheOther}, uncaught: ${uncaught}, logged: ${logged}`);
  }
  process.exit();
});
JS

echo "telesignsdk $TELESIGN, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the Telesign SDK calls back otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: one request, and two calls."

#!/usr/bin/env bash
# What a carrier's SDK throws may hold the code, the number and the account's secret
#
# Installed: twilio 6.2.0, @vonage/messages 1.27.1 with @vonage/auth 1.18.1 and telnyx 7.24.0
# (npm), under Node 20, against a local server.
#
# Question: what stands in a log line, if a program logs the error of an SDK as JSON?
#
# Expected: a status and a message, and the same for each way to fail.
#
# What happens: it depends on the SDK and on how the call fails.
#
#   twilio 503:  nothing
#   twilio cut:  number, code, secret
#   vonage 503:  number, code, secret
#   vonage cut:  nothing
#   telnyx:      nothing, either way
#
# Twilio's own error is clean, but if there is no answer it throws the HTTP library's error,
# whose JSON has the whole request with its Authorization header (the token in base64).
# Vonage is the other way about: its own error keeps the request's options and its body, and
# a cut connection gives a plain TypeError.
#
# Why it matters: a test with a wrong password, or with a 503, shows a clean log. Weeks
# later the network fails, and one-time codes that are still valid, with their numbers, are in
# the log and wherever the log is copied to. Log chosen fields, never the error itself.
set -euo pipefail

TWILIO=6.2.0 VONAGE=1.27.1 VONAGE_AUTH=1.18.1 TELNYX=7.24.0
EXPECT='twilio 503: nothing
twilio cut: number, code, secret
vonage 503: number, code, secret
vonage cut: nothing
telnyx 503: nothing
telnyx cut: nothing'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "twilio@$TWILIO" "@vonage/messages@$VONAGE" "@vonage/auth@$VONAGE_AUTH" "telnyx@$TELNYX" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');

const secret = 'example-of-a-secret';
const number = '447700900123';
const text = 'Your code is 482913';
let cut;
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    if (cut) return request.socket.destroy();
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"unavailable"}');
  });
});

function held(error) {
  const json = JSON.stringify(error);
  const plain = json.replace(/Basic ([\w+/=]+)/g, (_, login) => Buffer.from(login, 'base64').toString());
  const parts = { number, code: '482913', secret };
  return Object.keys(parts).filter((name) => plain.includes(parts[name])).join(', ') || 'nothing';
}

function senders(url) {
  const RequestClient = require('twilio/lib/base/RequestClient');
  class Local extends (RequestClient.default ?? RequestClient) {
    request(options) {
      return super.request({ ...options, uri: url + new URL(options.uri).pathname });
    }
  }
  const twilio = require('twilio')(`AC${'0'.repeat(32)}`, secret, { httpClient: new Local() });
  const { Messages, SMS } = require('@vonage/messages');
  const { Auth } = require('@vonage/auth');
  const vonage = new Messages(new Auth({ apiKey: 'abcd', apiSecret: secret }), { apiHost: url });
  const Telnyx = require('telnyx');
  const telnyx = new (Telnyx.default ?? Telnyx)({ apiKey: secret, baseURL: url, maxRetries: 0 });
  return {
    twilio: () => twilio.messages.create({ to: `+${number}`, from: '+12025550100', body: text }),
    vonage: () => vonage.send(new SMS({ to: number, from: 'Example', text })),
    telnyx: () => telnyx.messages.send({ to: `+${number}`, from: '+12025550100', text }),
  };
}

server.listen(0, '127.0.0.1', async () => {
  const send = senders(`http://127.0.0.1:${server.address().port}`);
  for (const name of Object.keys(send)) {
    for (cut of [false, true]) {
      const what = await send[name]().then(() => 'resolved', held);
      console.log(`${name} ${cut ? 'cut' : '503'}: ${what}`);
    }
  }
  process.exit();
});
JS

echo "twilio $TWILIO, @vonage/messages $VONAGE, telnyx $TELNYX, Node $(node --version)"
seen=$(timeout 50 node --no-warnings "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the errors hold something else. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: it depends on the way the call fails."

#!/usr/bin/env bash
# The AWS SDK only warns when requestTimeout is over, and goes on waiting
#
# Installed: @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm), under Node 20, against a local
# server that answers after 3 seconds.
#
# Question: a program sends codes by AWS End User Messaging, and sets `requestTimeout` to half a
# second so that another carrier can take over in time. What does `send` do?
#
# Expected: it rejects with a TimeoutError after half a second, or after three attempts of that.
#
# What happens: it logs a warning and waits, as if there were no limit:
#
#   requestTimeout                          resolved after 3 s
#   requestTimeout, throwOnRequestTimeout   TimeoutError after three requests
#
# With the second option it is an error, and the SDK repeats the request as after any other fault.
# The server took each of the three for a new message: SendTextMessage has no key that tells a
# repeated one.
#
# Why it matters: for years `requestTimeout` was an error, and that is what most examples say. If
# AWS hangs, nobody is sent a code by the second carrier. If the error is switched on, a slow
# answer becomes three messages. Set throwOnRequestTimeout and `maxAttempts: 1`.
# Where documented: in the comments of the types of @smithy/types.
set -euo pipefail

AWS=3.1138.0
EXPECT='requestTimeout: resolved with m1 after the answer, 1 request, warned: true
requestTimeout, throwOnRequestTimeout: TimeoutError before the answer, 3 requests, warned: false
requestTimeout, throwOnRequestTimeout, maxAttempts: TimeoutError before the answer, 1 request, warned: false
socketTimeout: TimeoutError before the answer, 3 requests, warned: false'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 150 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "@aws-sdk/client-pinpoint-sms-voice-v2@$AWS" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');
const { PinpointSMSVoiceV2Client, SendTextMessageCommand } = require('@aws-sdk/client-pinpoint-sms-voice-v2');

let requests = 0;
const server = http.createServer((request, response) => {
  const answer = JSON.stringify({ MessageId: `m${(requests += 1)}` });
  request.resume().on('end', () => setTimeout(() => response.end(answer), 3000));
});

server.listen(0, '127.0.0.1', async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const credentials = { accessKeyId: 'example', secretAccessKey: 'example' };
  for (const [limits, more] of [
    [{ requestTimeout: 500 }, {}],
    [{ requestTimeout: 500, throwOnRequestTimeout: true }, {}],
    [{ requestTimeout: 500, throwOnRequestTimeout: true }, { maxAttempts: 1 }],
    [{ socketTimeout: 500 }, {}],
  ]) {
    requests = 0;
    let warned = false;
    const logger = { trace() {}, debug() {}, info() {}, error() {}, warn() { warned = true; } };
    const requestHandler = { ...limits, logger };
    const client = new PinpointSMSVoiceV2Client({ region: 'eu-west-1', endpoint, credentials, requestHandler, ...more });
    const message = { DestinationPhoneNumber: '+447700900123', MessageBody: 'Your code is 482913' };
    const start = performance.now();
    const result = await client.send(new SendTextMessageCommand(message)).then(
      ({ MessageId }) => `resolved with ${MessageId}`,
      (error) => error.name,
    );
    const when = performance.now() - start < 2900 ? 'before' : 'after';
    const count = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
    const options = Object.keys({ ...limits, ...more }).join(', ');
    console.log(`${options}: ${result} ${when} the answer, ${count}, warned: ${warned}`);
  }
  process.exit();
});
JS

echo "@aws-sdk/client-pinpoint-sms-voice-v2 $AWS, Node $(node --version)"
seen=$(timeout 50 node --no-warnings "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the SDK keeps its limits otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: requestTimeout alone stops nothing."

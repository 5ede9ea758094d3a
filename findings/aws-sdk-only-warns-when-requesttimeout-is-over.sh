#!/usr/bin/env bash
# The AWS SDK only warns when requestTimeout is over, and goes on waiting
#
# Installed: @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0, and 3.523.0 of 2024 (npm), under Node 20,
# against a local server that answers after 3 seconds.
#
# Question: a program sends codes by AWS End User Messaging, and sets `requestTimeout` to half a
# second, so that another carrier can take over in time. What does `send` do?
#
# Expected: it rejects with a TimeoutError after three attempts of that, as in 3.523.0.
#
# What happens: it logs a warning and waits, as if there were no limit:
#
#   3.523.0   requestTimeout                          TimeoutError after three requests
#   3.1138.0  requestTimeout                          resolved after 3 s
#   3.1138.0  requestTimeout, throwOnRequestTimeout   TimeoutError after three requests
#
# With the second option it is an error, and the SDK repeats the request as after any other fault.
# SendTextMessage has no key that tells a repeated one, so each is a message.
#
# Why it matters: most examples are from the time when it was an error. If AWS hangs now, nobody is
# sent a code by the second carrier. If the error is switched on, a slow answer becomes three
# messages. Set throwOnRequestTimeout and `maxAttempts: 1`.
# Where documented: in the comments of the types of @smithy/types.
set -euo pipefail

OLD=3.523.0
NEW=3.1138.0
EXPECT='3.523.0 requestTimeout: TimeoutError before the answer, 3 requests
3.1138.0 requestTimeout: resolved after the answer, 1 request, with a warning
3.1138.0 requestTimeout, throwOnRequestTimeout: TimeoutError before the answer, 3 requests
3.1138.0 requestTimeout, throwOnRequestTimeout, maxAttempts: TimeoutError before the answer, 1 request'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for version in "$OLD" "$NEW"; do
  timeout 80 npm install --prefix "$dir/$version" --no-save --silent --no-audit --no-fund \
    "@aws-sdk/client-pinpoint-sms-voice-v2@$version" >&2
done

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');

let requests = 0;
const server = http.createServer((request, response) => {
  const answer = JSON.stringify({ MessageId: `m${(requests += 1)}` });
  request.resume().on('end', () => setTimeout(() => response.end(answer), 3000));
});

server.listen(0, '127.0.0.1', async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const credentials = { accessKeyId: 'example', secretAccessKey: 'example' };
  const [old, latest] = process.argv.slice(2);
  for (const [version, limits, more] of [
    [old, { requestTimeout: 500 }, {}],
    [latest, { requestTimeout: 500 }, {}],
    [latest, { requestTimeout: 500, throwOnRequestTimeout: true }, {}],
    [latest, { requestTimeout: 500, throwOnRequestTimeout: true }, { maxAttempts: 1 }],
  ]) {
    const module_ = `${__dirname}/${version}/node_modules/@aws-sdk/client-pinpoint-sms-voice-v2`;
    const { PinpointSMSVoiceV2Client, SendTextMessageCommand } = require(module_);
    requests = 0;
    let warned = '';
    const logger = { trace() {}, debug() {}, info() {}, error() {}, warn() { warned = ', with a warning'; } };
    const requestHandler = { ...limits, logger };
    const client = new PinpointSMSVoiceV2Client({ region: 'eu-west-1', endpoint, credentials, requestHandler, ...more });
    const message = { DestinationPhoneNumber: '+447700900123', MessageBody: 'Your code is 482913' };
    const start = performance.now();
    const result = await client.send(new SendTextMessageCommand(message)).then(() => 'resolved', ({ name }) => name);
    const when = performance.now() - start < 2900 ? 'before' : 'after';
    const count = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
    const options = Object.keys({ ...limits, ...more }).join(', ');
    console.log(`${version} ${options}: ${result} ${when} the answer, ${count}${warned}`);
  }
  process.exit();
});
JS

echo "@aws-sdk/client-pinpoint-sms-voice-v2 $OLD and $NEW, Node $(node --version)"
seen=$(timeout 50 node --no-warnings "$dir/look.cjs" "$OLD" "$NEW")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the SDK keeps its limits otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: requestTimeout alone stops nothing any more."

#!/usr/bin/env bash
# The MessageBird SDK takes a 503 in JSON for a sent message
#
# Installed: messagebird 4.0.1 (npm), under Node 20, against a local server.
#
# Question: what does the callback of `messages.create` get if the answer has the status 429
# or 503, and its body is JSON of a gateway rather than MessageBird's own `{"errors": [...]}`?
#
# Expected: an error. The status says that nothing was accepted.
#
# What happens: the callback gets no error, and the gateway's JSON as the message. The status
# is not looked at. Only the words in the body decide:
#
#   422 with errors in JSON: error, status 422
#   503 with other JSON: no error, and a message without an id
#   503 with HTML: error, status 503
#
# Why: the SDK looks for the key `errors` in whatever JSON arrives, and takes anything else
# for the result. It reports the status only if there are errors, or if it cannot read JSON.
#
# Why it matters: load balancers and API gateways answer in JSON of their own when they are
# overloaded. At that moment each code that was not sent counts as sent, and the wait for a
# delivery receipt begins. Check that the message has an `id`.
set -euo pipefail

MESSAGEBIRD=4.0.1
EXPECT='201 with a message: no error, id m1
422 with errors in JSON: error, status 422
429 with other JSON: no error, id undefined
503 with other JSON: no error, id undefined
503 with HTML: error, status 503'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "messagebird@$MESSAGEBIRD" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');
const https = require('node:https');
const module_ = require('messagebird');
const initClient = module_.initClient ?? module_.default ?? module_;

const cases = [
  ['a message', 201, '{"id":"m1","recipients":{"totalSentCount":1}}'],
  ['errors in JSON', 422, '{"errors":[{"code":9,"description":"no (correct) recipients found"}]}'],
  ['other JSON', 429, '{"message":"API rate limit exceeded"}'],
  ['other JSON', 503, '{"message":"no healthy upstream"}'],
  ['HTML', 503, '<html><body>Service Unavailable</body></html>'],
];
let next;
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    const [, status, body] = next;
    const type = body.startsWith('{') ? 'application/json' : 'text/html';
    response.writeHead(status, { 'content-type': type, connection: 'close' });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', async () => {
  // The SDK has no option for its host: send its requests to the local server.
  const { port } = server.address();
  https.request = (options, answered) =>
    http.request({ ...options, protocol: 'http:', host: '127.0.0.1', hostname: '127.0.0.1', port }, answered);
  const client = initClient('example');
  const create = () => new Promise((resolve) => {
    const message = { originator: 'Example', recipients: ['447700900123'], body: 'Your code is 482913' };
    client.messages.create(message, (error, result) => resolve({ error, result }));
  });
  for (next of cases) {
    const { error, result } = await create();
    const seen = error ? `error, status ${error.statusCode}` : `no error, id ${result.id}`;
    console.log(`${next[1]} with ${next[0]}: ${seen}`);
  }
  process.exit();
});
JS

echo "messagebird $MESSAGEBIRD, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the MessageBird SDK judges these answers otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: an answer without the word errors is a success, whatever its status."

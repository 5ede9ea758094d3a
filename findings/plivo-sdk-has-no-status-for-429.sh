#!/usr/bin/env bash
# The Plivo SDK keeps the status of a 400, but not of a 429
#
# Installed: plivo 4.79.0 (npm), under Node 20, against a local server.
#
# Question: how does a program learn from the SDK's rejection that it must slow down (429) or
# that the service is down (503), and how long it shall wait (Retry-After)?
#
# Expected: the error has a `status` whatever the status is, as it has for 400 or 401.
#
# What happens: `status` is set for 400, 401, 404, 405, 406 and 500. For every other status
# with a JSON body, the error has no property at all, and the status stands only in its
# message. With a text body, a 503 has its status. If the connection is cut, the SDK rejects
# with a string: it has no `message`, and `instanceof Error` is false.
#
#   400 json: Error, status 400
#   429 json: Error, status undefined, AxiosError: Request failed with status code 429
#   503 json: Error, status undefined, AxiosError: Request failed with status code 503
#   503 text: Error, status 503
#   cut: string, status undefined
#
# Retry-After reaches nobody. The SDK repeats nothing by itself: one request for each line.
#
# Why it matters: `if (error.status === 429)` is never true, and `error.message.includes(...)`
# throws a TypeError for a cut connection, where the SMS may have been sent. A program
# that sends codes has to read the digits out of the message to know whether to wait.
set -euo pipefail

PLIVO=4.79.0
EXPECT='400 json: Error, status 400, bad destination
429 json: Error, status undefined, AxiosError: Request failed with status code 429
503 json: Error, status undefined, AxiosError: Request failed with status code 503
503 text: Error, status 503, down
cut: string, status undefined, undefined
requests: 5; Retry-After found in an error: false'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "plivo@$PLIVO" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');
const { inspect } = require('node:util');
const plivo = require('plivo');

const answers = {
  '400 json': '{"api_id":"1","error":"bad destination"}',
  '429 json': '{"api_id":"1","error":"too many requests"}',
  '503 json': '{"api_id":"1","error":"unavailable"}',
  '503 text': 'down',
};
let next;
let requests = 0;
const server = http.createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => {
    if (next === 'cut') return request.socket.destroy();
    const type = next.endsWith('json') ? 'application/json' : 'text/plain';
    response.writeHead(Number.parseInt(next, 10), { 'content-type': type, 'retry-after': '77' });
    response.end(answers[next]);
  });
});

server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/v1/Account`;
  const client = new plivo.Client('MAEXAMPLEEXAMPLEEXAM', 'example', { url });
  let waits = false;
  for (next of [...Object.keys(answers), 'cut']) {
    try {
      await client.messages.create({ src: '+12025550100', dst: '+447700900123', text: 'Your code is 482913' });
      console.log(`${next}: resolved`);
    } catch (error) {
      waits ||= inspect(error, { depth: 9 }).includes('retry-after');
      const kind = typeof error === 'string' ? 'string' : 'Error';
      console.log(`${next}: ${kind}, status ${error.status}, ${error.message}`);
    }
  }
  console.log(`requests: ${requests}; Retry-After found in an error: ${waits}`);
  process.exit();
});
JS

echo "plivo $PLIVO, Node $(node --version)"
seen=$(timeout 50 node --no-deprecation "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the errors of the Plivo SDK look otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: a 429 has no status."

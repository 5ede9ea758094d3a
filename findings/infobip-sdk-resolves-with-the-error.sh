#!/usr/bin/env bash
# The Infobip SDK resolves with the error, so nothing is thrown
#
# Installed: @infobip-api/sdk 0.3.2 (npm), under Node 20, against a local server.
#
# Question: what does `await infobip.channels.sms.send(...)` do if Infobip refuses the key
# (401), asks to slow down (429), is down (503), or cuts the connection after it read the
# request?
#
# Expected: the promise rejects, and `catch` sees the error.
#
# What happens: the promise resolves each time. Its value is the Error object itself:
#
#   401: resolved with AxiosError, status 401
#   cut: resolved with AxiosError, status undefined
#
# Why: each method of the SDK ends in `catch (error) { return error; }`.
#
# Why it matters: a program that sends codes in a `try` block never comes to its `catch`, so it
# counts every code as sent, and never tries another carrier. `response.data` is undefined on
# this path, so the usual next line, which reads the message's id, then fails with a TypeError
# that says nothing of the key. Look at `result instanceof Error` after each call.
set -euo pipefail

INFOBIP=0.3.2
EXPECT='200: resolved with Object, status 200, is an Error: false
401: resolved with AxiosError, status 401, is an Error: true
429: resolved with AxiosError, status 429, is an Error: true
503: resolved with AxiosError, status 503, is an Error: true
cut: resolved with AxiosError, status undefined, is an Error: true'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "@infobip-api/sdk@$INFOBIP" >&2

cat > "$dir/look.cjs" <<'JS'
const http = require('node:http');
const { Infobip, AuthType } = require('@infobip-api/sdk');

const answers = {
  200: { messages: [{ messageId: '1', status: { groupName: 'PENDING' } }] },
  401: { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } } },
  429: { requestError: { serviceException: { messageId: 'TOO_MANY_REQUESTS', text: 'Too many requests' } } },
  503: { requestError: { serviceException: { messageId: 'GENERAL_ERROR', text: 'Something went wrong' } } },
};
let next;
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    if (next === 'cut') return request.socket.destroy();
    response.writeHead(Number(next), { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[next]));
  });
});

server.listen(0, '127.0.0.1', async () => {
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const infobip = new Infobip({ baseUrl, apiKey: 'example', authType: AuthType.ApiKey });
  const messages = [{ destinations: [{ to: '447700900123' }], from: 'Example', text: 'Your code is 482913' }];
  for (next of ['200', '401', '429', '503', 'cut']) {
    try {
      const result = await infobip.channels.sms.send({ messages });
      const what = `${result.constructor.name}, status ${result.status ?? result.response?.status}`;
      console.log(`${next}: resolved with ${what}, is an Error: ${result instanceof Error}`);
    } catch (error) {
      console.log(`${next}: rejected with ${error.constructor.name}`);
    }
  }
  process.exit();
});
JS

echo "@infobip-api/sdk $INFOBIP, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the Infobip SDK no longer resolves with its errors. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: no error is thrown."

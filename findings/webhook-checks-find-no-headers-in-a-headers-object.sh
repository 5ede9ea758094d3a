#!/usr/bin/env bash
# Webhook checks find no headers in a Headers object
#
# Installed: telnyx 7.24.0, svix 1.99.1 and standardwebhooks 1.1.1 (npm), under Node 20.
#
# Question: servers of the fetch kind (Hono, Next.js, Deno, Workers) give a request's headers as
# a `Headers` object. Can it be handed to the check of a webhook's signature?
#
# Expected: yes. `Headers` is what `fetch` itself uses, and its names have no case.
#
# What happens: all three say that the headers are missing, for a webhook that is valid:
#
#   telnyx: plain object taken, Headers "Missing required header: Telnyx-Signature-Ed25519"
#
# Why: they read it with `Object.keys` or by index, and a `Headers` object keeps nothing there.
# `Object.fromEntries(request.headers)` is taken by all three.
#
# Why it matters: the message sends people to the sender or to a proxy that "strips headers". The
# handler answers 401 or 500, the sender tries again for days, and no delivery receipt arrives.
set -euo pipefail

TELNYX=7.24.0
SVIX=1.99.1
STANDARD=1.1.1
EXPECT='telnyx: plain object taken; Headers: Missing required header: Telnyx-Signature-Ed25519; its entries taken
svix: plain object taken; Headers: Missing required headers; its entries taken
standardwebhooks: plain object taken; Headers: Missing required headers; its entries taken'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "telnyx@$TELNYX" "svix@$SVIX" "standardwebhooks@$STANDARD" >&2

cat > "$dir/look.cjs" <<'JS'
const { generateKeyPairSync, sign } = require('node:crypto');
const Telnyx = require('telnyx');

const body = JSON.stringify({ data: { event_type: 'message.finalized' } });
const now = new Date();
const timestamp = String(Math.floor(now / 1000));

function telnyx() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const client = new (Telnyx.default ?? Telnyx)({ apiKey: 'example', publicKey: raw });
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
  return { headers, check: (given) => client.webhooks.unwrap(body, { headers: given }) };
}

function standard(name) {
  const { Webhook } = require(name);
  const webhook = new Webhook(`whsec_${Buffer.from('an example of a secret, long enough').toString('base64')}`);
  const signature = webhook.sign('msg_1', now, body);
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { headers, check: (given) => webhook.verify(body, given) };
}

(async () => {
  for (const [name, { headers, check }] of [
    ['telnyx', telnyx()],
    ['svix', standard('svix')],
    ['standardwebhooks', standard('standardwebhooks')],
  ]) {
    const said = async (given) => {
      try {
        await check(given);
        return ' taken';
      } catch (error) {
        return `: ${error.message}`;
      }
    };
    const object = new Headers(headers);
    const answers = [await said(headers), await said(object), await said(Object.fromEntries(object))];
    console.log(`${name}: plain object${answers[0]}; Headers${answers[1]}; its entries${answers[2]}`);
  }
})();
JS

echo "telnyx $TELNYX, svix $SVIX, standardwebhooks $STANDARD, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the checks judge a Headers object otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: a valid webhook is refused."

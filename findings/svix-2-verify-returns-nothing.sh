#!/usr/bin/env bash
# svix 2: Webhook.verify returns nothing, where svix 1 returned the event
#
# Installed: svix 1.99.1, svix 2.5.0 and standardwebhooks 1.1.1 (npm), under Node 20.
#
# Question: what does `webhook.verify(body, headers)` return for a valid webhook?
#
# Expected: the parsed body, as in each version 1 and in the library standardwebhooks.
#
# What happens: version 2 returns `undefined`. The check itself is the same: it throws if the
# signature is wrong.
#
#   svix 1.99.1: {"type":"verified"}
#   svix 2.5.0: undefined
#
# The type of version 2 says so (`: undefined`), but nothing tells a JavaScript program.
#
# Why it matters: `const event = webhook.verify(...)` with `event?.type` behind it takes every
# webhook for one of no interest, answers 204, and the sender is content. No error, no
# retry. Parse the body yourself after `verify`.
set -euo pipefail

ONE=1.99.1
TWO=2.5.0
STANDARD=1.1.1
EXPECT='svix 1.99.1: {"type":"verified"}, wrong signature refused
svix 2.5.0: undefined, wrong signature refused
standardwebhooks 1.1.1: {"type":"verified"}, wrong signature refused'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for package in "svix@$ONE" "svix@$TWO" "standardwebhooks@$STANDARD"; do
  timeout 120 npm install --prefix "$dir/$package" --no-save --silent --no-audit --no-fund "$package" >&2
done

cat > "$dir/look.mjs" <<'JS'
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const secret = `whsec_${Buffer.from('an example of a secret, long enough').toString('base64')}`;
const body = JSON.stringify({ type: 'verified' });

for (const wanted of process.argv.slice(2)) {
  const [name, version] = wanted.split('@');
  const { resolve } = createRequire(new URL(`./${wanted}/x.js`, import.meta.url));
  const { Webhook } = await import(pathToFileURL(resolve(name)));
  const webhook = new Webhook(secret);
  const now = new Date();
  const signature = webhook.sign('msg_1', now, body);
  const timestamp = String(Math.floor(now / 1000));
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const returned = webhook.verify(body, headers);
  let wrong = 'taken';
  try {
    webhook.verify(`${body} `, headers);
  } catch {
    wrong = 'refused';
  }
  console.log(`${name} ${version}: ${JSON.stringify(returned)}, wrong signature ${wrong}`);
}
JS

echo "Node $(node --version)"
seen=$(timeout 50 node "$dir/look.mjs" "svix@$ONE" "svix@$TWO" "standardwebhooks@$STANDARD")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: verify returns something else. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: svix 2 returns nothing."

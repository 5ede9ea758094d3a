#!/usr/bin/env bash
# JsSIP and SIP.js drop a whole call if its From is a tel: URI
#
# Installed: jssip 3.13.8 and sip.js 0.21.2 (npm), under Node 20.
#
# Question: networks of telephone companies write a caller as `From: <tel:+447700900123>`. What do
# the parsers of the two browsers' telephones make of such an INVITE?
#
# Expected: a message, perhaps with a URI of which only the text is kept. RFC 3261 (section 25.1)
# lets From and To be any "absoluteURI", and RFC 3966 defines `tel:`.
#
# What happens: there is no message at all. One header that cannot be read drops the whole
# request: the parser returns nothing that could be answered, even with 400. In a header that
# they do not parse (P-Asserted-Identity) the same URI does no harm:
#
#   From: <sip:+447700900123@example.com>   both read it
#   From: <tel:+447700900123>               both: no message
#   To: <tel:+447700900123>                 both: no message
#   P-Asserted-Identity: <tel:...>          both read it
#
# Why it matters: a desk that takes voice codes in a browser does not ring for calls that come
# straight from a carrier, and the caller hears nothing until its timer ends. Let the proxy
# before it rewrite `tel:` to `sip:...;user=phone`.
set -euo pipefail

JSSIP=3.13.8 SIPJS=0.21.2
EXPECT='From <sip:+447700900123@example.com;user=phone>: jssip read, sip.js read
From <tel:+447700900123>: jssip no message, sip.js no message
From "Example" <tel:+44-7700-900123>: jssip no message, sip.js no message
To <tel:+447700900123>: jssip no message, sip.js no message
P-Asserted-Identity <tel:+447700900123>: jssip read, sip.js read'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "jssip@$JSSIP" "sip.js@$SIPJS" >&2

cat > "$dir/look.cjs" <<'JS'
const jssip = require('jssip/lib/Parser.js');
const { Core } = require('sip.js');

const silent = { error() {}, warn() {}, log() {}, debug() {} };
const address = '<sip:desk@example.com>';

function invite(headers) {
  const all = { From: address, To: address, ...headers };
  all.From += ';tag=1';
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [
    'INVITE sip:desk@example.com SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1',
    'Max-Forwards: 70',
    ...lines,
    'Call-ID: 1@example.com',
    'CSeq: 1 INVITE',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
}

const tel = '<tel:+447700900123>';
for (const [header, value] of [
  ['From', '<sip:+447700900123@example.com;user=phone>'],
  ['From', tel],
  ['From', '"Example" <tel:+44-7700-900123>'],
  ['To', tel],
  ['P-Asserted-Identity', tel],
]) {
  const text = invite({ [header]: value });
  const said = (message) => (message ? 'read' : 'no message');
  const answers = [said(jssip.parseMessage(text, {})), said(Core.Parser.parseMessage(text, silent))];
  console.log(`${header} ${value}: jssip ${answers[0]}, sip.js ${answers[1]}`);
}
process.exit();
JS

echo "jssip $JSSIP, sip.js $SIPJS, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: these requests are read otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: a tel: URI in From or To drops the request."

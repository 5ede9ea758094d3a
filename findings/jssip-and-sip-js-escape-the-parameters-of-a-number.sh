#!/usr/bin/env bash
# JsSIP and SIP.js escape the parameters of a telephone number when they write a SIP URI
#
# Installed: jssip 3.13.8 and sip.js 0.21.2 (npm), under Node 20.
#
# Question: in a SIP URI with `user=phone`, the part before the @ is a telephone number with
# its parameters, such as `;phone-context=`, `;ext=`, `;npdi` or `;rn=` (RFC 3261 section 19.1.6,
# RFC 4694). Does such a URI survive being read and written?
#
# Expected: it comes out as it went in. `;` and `=` may stand there as they are
# (RFC 3261 section 25.1, "user-unreserved").
#
# What happens: both write `%3B` and `%3D`, though each accepts the unescaped form:
#
#   in:  sip:+447700900123;ext=12@example.com;user=phone
#   out: sip:+447700900123%3Bext%3D12@example.com;user=phone
#
# By RFC 3261 section 19.1.4 the two are different URIs, since `;` is a reserved character.
#
# Why it matters: a proxy looks for `;rn=` to route a ported number, and a PBX for `;ext=` to
# ring a desk. Neither finds it: the called number has become "+447700900123%3Bext%3D12".
# Only the people with such numbers miss their call.
set -euo pipefail

JSSIP=3.13.8 SIPJS=0.21.2
EXPECT='sip:+447700900123@example.com;user=phone
  jssip  same
  sip.js same
sip:+447700900123;ext=12@example.com;user=phone
  jssip  sip:+447700900123%3Bext%3D12@example.com;user=phone
  sip.js sip:+447700900123%3Bext%3D12@example.com;user=phone
sip:7042;phone-context=example.com@example.com;user=phone
  jssip  sip:7042%3Bphone-context%3Dexample.com@example.com;user=phone
  sip.js sip:7042%3Bphone-context%3Dexample.com@example.com;user=phone
sip:+12025550123;npdi;rn=+12025550100@example.com;user=phone
  jssip  sip:+12025550123%3Bnpdi%3Brn%3D+12025550100@example.com;user=phone
  sip.js sip:+12025550123%3Bnpdi%3Brn%3D+12025550100@example.com;user=phone'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "jssip@$JSSIP" "sip.js@$SIPJS" >&2

cat > "$dir/look.cjs" <<'JS'
const { URI } = require('jssip');
const { Grammar } = require('sip.js');

const uris = [
  'sip:+447700900123@example.com;user=phone',
  'sip:+447700900123;ext=12@example.com;user=phone',
  'sip:7042;phone-context=example.com@example.com;user=phone',
  'sip:+12025550123;npdi;rn=+12025550100@example.com;user=phone',
];
for (const uri of uris) {
  const shown = (written) => (written === uri ? 'same' : written);
  console.log(uri);
  console.log('  jssip ', shown(String(URI.parse(uri))));
  console.log('  sip.js', shown(String(Grammar.URIParse(uri))));
}
process.exit();
JS

echo "jssip $JSSIP, sip.js $SIPJS, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the URIs are written otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the parameters of the number are escaped."

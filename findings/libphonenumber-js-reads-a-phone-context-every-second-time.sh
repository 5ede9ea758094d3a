#!/usr/bin/env bash
# libphonenumber-js reads a phone-context only every second time
#
# Installed: libphonenumber-js 1.13.16 and google-libphonenumber 3.2.47 (npm), under Node 20.
#
# Question: what does parsePhoneNumber make of a `tel:` URI whose calling code stands in
# its `phone-context` (RFC 3966, section 5.1.5), if a process parses it several times?
#
# Expected: the same answer each time. Parsing has no memory.
#
# What happens: every second call in the process finds no number at all.
#
#   tel:7700900123;phone-context=+44   +447700900123 - +447700900123 -
#
# One process has one memory of it: after a call for a British number, the next call for
# an American one fails. A `tel:` URI without phone-context is always read.
# google-libphonenumber reads it each time.
#
# Why: the module keeps a regular expression with the flag `g` and calls `test` on it. Such
# an expression starts its next search where the last one ended
# (source/helpers/extractPhoneContext.js; MDN, "RegExp.prototype.lastIndex").
#
# Why it matters: numbers from SIP headers, from vCards and from LDAP may have a phone-context.
# A test with one call passes. In production, half of these people are told that their
# number is invalid, and the same request works when they try again.
set -euo pipefail

LIBPHONENUMBER_JS=1.13.16
GOOGLE=3.2.47
EXPECT='js same number:    +447700900123 - +447700900123 -
js two countries:  +447700900123 - +447700900123 -
js without:        +447700900123 +447700900123 +447700900123 +447700900123
google:            +447700900123 +447700900123 +447700900123 +447700900123'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "libphonenumber-js@$LIBPHONENUMBER_JS" "google-libphonenumber@$GOOGLE" >&2

cat > "$dir/look.cjs" <<'JS'
const parse = require('libphonenumber-js/max').default;
const { PhoneNumberUtil, PhoneNumberFormat } = require('google-libphonenumber');
const google = PhoneNumberUtil.getInstance();

const british = 'tel:7700900123;phone-context=+44';
const american = 'tel:2125550123;phone-context=+1';
const js = (uri) => parse(uri)?.number ?? '-';
const reference = (uri) => google.format(google.parse(uri), PhoneNumberFormat.E164);

console.log('js same number:   ', ...[british, british, british, british].map(js));
console.log('js two countries: ', ...[british, american, british, american].map(js));
console.log('js without:       ', ...Array(4).fill('tel:+44-7700-900123').map(js));
console.log('google:           ', ...[british, british, british, british].map(reference));
JS

echo "libphonenumber-js $LIBPHONENUMBER_JS, google-libphonenumber $GOOGLE, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: libphonenumber-js no longer forgets every second phone-context. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: every second call finds no number."

#!/usr/bin/env bash
# drachtio-srf drops the phone-context of a tel: URI, but only the one with a plus
#
# Installed: drachtio-srf 5.0.29 (npm), under Node 20.
#
# Question: RFC 3966 gives a local number its place by `phone-context`: a domain, or the first
# digits of a global number, such as `+44`. What does `parseUri` make of the two?
#
# Expected: `context` holds what the URI says, in both cases.
#
# What happens: a domain is read. A context with a plus is lost without an error, and so is
# every parameter that stands after it. A parameter without a value (`npdi`) ends the
# reading too, so the routing number of a ported telephone (`rn`, RFC 4694) is lost:
#
#   tel:7042;phone-context=example.com       context example.com
#   tel:7700900123;phone-context=+44         context null, params {}
#   tel:+447700900123;npdi;rn=+447700900000  params {}
#
# The number that is left, 7700900123, is of no country.
#
# Why it matters: a voice gateway that dials, or blocks, what `parseUri` gave takes the number
# for one of its own country. With `+1` for its default, this British number reads as an
# American one with ten digits.
set -euo pipefail

DRACHTIO=5.0.29
EXPECT='tel:7042;phone-context=example.com: 7042, context example.com, params {"phone-context":"example.com"}
tel:7700900123;phone-context=+44: 7700900123, context null, params {}
tel:7700900123;phone-context=+44;ext=12: 7700900123, context null, params {}
tel:7700900123;ext=12;phone-context=+44: 7700900123, context null, params {"ext":"12"}
tel:+447700900123;ext=12: +447700900123, context null, params {"ext":"12"}
tel:+447700900123;npdi;rn=+447700900000: +447700900123, context null, params {}'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "drachtio-srf@$DRACHTIO" >&2

cat > "$dir/look.cjs" <<'JS'
const { parseUri } = require('drachtio-srf');

const uris = [
  'tel:7042;phone-context=example.com',
  'tel:7700900123;phone-context=+44',
  'tel:7700900123;phone-context=+44;ext=12',
  'tel:7700900123;ext=12;phone-context=+44',
  'tel:+447700900123;ext=12',
  'tel:+447700900123;npdi;rn=+447700900000',
];
for (const uri of uris) {
  const { number, context, params } = parseUri(uri);
  console.log(`${uri}: ${number}, context ${context}, params ${JSON.stringify(params)}`);
}
process.exit();
JS

echo "drachtio-srf $DRACHTIO, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: drachtio-srf reads these URIs otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: a phone-context with a plus is lost."

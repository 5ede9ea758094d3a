#!/usr/bin/env bash
# Mexican mobile numbers with a 1 were kept, then joined with the others, and are now refused
#
# Installed: libphonenumber-js 1.7.20 (2019), 1.9.50 (2022) and 1.13.16 (2026) (npm), under
# Node 20.
#
# Question: until 2019 a Mexican mobile was called as +52 1 55 1234 5678, and from inside the
# country as 044 55 1234 5678. Today it is +52 55 1234 5678. What do the ages of the library make
# of the old forms, which people and address books still hold?
#
# Expected: one change, at which the old form becomes either the new one or invalid.
#
# What happens: two changes. For some years the library turned the old form into the new one
# silently. Since then it refuses the old form, not even `isPossible`:
#
#   +5215512345678, 2019: +5215512345678  valid, and another number than +525512345678
#   +5215512345678, 2022: +525512345678   valid, and the same number
#   +5215512345678, 2026: +5215512345678  not possible
#
# 044 55 1234 5678 with the country MX went the same way.
#
# Why it matters: what one version wrote into a database is not found, or is refused, by the
# next. A person who proved +52 1 in 2019 is a stranger after one update and invalid after
# another. WhatsApp has gone on to name Mexican accounts 521..., so a webhook may bring the old form
# any day. Take the 1 away yourself before you parse, and do it to stored numbers too.
set -euo pipefail

VERSIONS='1.7.20 1.9.50 1.13.16'
EXPECT='1.7.20
  +525512345678: +525512345678, valid true, possible true
  +5215512345678: +5215512345678, valid true, possible true
  044 55 1234 5678: +5215512345678, valid true, possible true
1.9.50
  +525512345678: +525512345678, valid true, possible true
  +5215512345678: +525512345678, valid true, possible true
  044 55 1234 5678: +525512345678, valid true, possible true
1.13.16
  +525512345678: +525512345678, valid true, possible true
  +5215512345678: +5215512345678, valid false, possible false
  044 55 1234 5678: +520445512345678, valid false, possible false'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat > "$dir/look.cjs" <<'JS'
const { parsePhoneNumberFromString } = require(`${process.argv[2]}/node_modules/libphonenumber-js/max`);

for (const typed of ['+525512345678', '+5215512345678', '044 55 1234 5678']) {
  const number = parsePhoneNumberFromString(typed, 'MX');
  console.log(`  ${typed}: ${number.number}, valid ${number.isValid()}, possible ${number.isPossible()}`);
}
JS

echo "libphonenumber-js $VERSIONS, Node $(node --version)"
seen=$(for version in $VERSIONS; do
  timeout 120 npm install --prefix "$dir/$version" --no-save --silent --no-audit --no-fund "libphonenumber-js@$version" >&2
  echo "$version"
  timeout 20 node "$dir/look.cjs" "$dir/$version"
done)
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the versions read these numbers otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: kept, then joined, then refused."

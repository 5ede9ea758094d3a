#!/usr/bin/env bash
# awesome-phonenumber refuses the numbers of no country
#
# Installed: awesome-phonenumber 7.8.0, google-libphonenumber 3.2.47 and libphonenumber-js 1.13.16
# (npm), under Node 20.
#
# Question: some calling codes belong to no country: satellite telephones (+870, +881), networks of
# things and ships (+883, +882), freephone for all countries (+800). All three packages are made
# from the same library. Do they agree on its examples?
#
# Expected: yes.
#
# What happens: awesome-phonenumber says of each of them that its calling code does not exist, though
# it names the region "001", which is libphonenumber's for "the world":
#
#   +870301234567: invalid-country-code, region 001   (the others: valid)
#
# Why it matters: an Inmarsat telephone on a ship is a mobile that takes codes, and it is told that
# its number does not exist. A service that moves from one package to another loses
# these people, and no example number of a country shows it.
set -euo pipefail

AWESOME=7.8.0
GOOGLE=3.2.47
LIBPHONENUMBER_JS=1.13.16
EXPECT='+447400123456: awesome true (is-possible, GB), google true, js true
+80012345678: awesome false (invalid-country-code, 001), google true, js true
+80812345678: awesome false (invalid-country-code, 001), google true, js true
+870301234567: awesome false (invalid-country-code, 001), google true, js true
+878101234567890: awesome false (invalid-country-code, 001), google true, js true
+881612345678: awesome false (invalid-country-code, 001), google true, js true
+8823421234: awesome false (invalid-country-code, 001), google true, js true
+883510012345: awesome false (invalid-country-code, 001), google true, js true
+88812345678901: awesome false (invalid-country-code, 001), google true, js true
+979123456789: awesome false (invalid-country-code, 001), google true, js true'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "awesome-phonenumber@$AWESOME" "google-libphonenumber@$GOOGLE" "libphonenumber-js@$LIBPHONENUMBER_JS" >&2

cat > "$dir/look.cjs" <<'JS'
const awesome = require('awesome-phonenumber');
const { PhoneNumberFormat, PhoneNumberUtil } = require('google-libphonenumber');
const js = require('libphonenumber-js/max');
const plan = PhoneNumberUtil.getInstance();

const worldwide = [800, 808, 870, 878, 881, 882, 883, 888, 979];
for (const number of ['+447400123456', ...worldwide]) {
  const example = typeof number === 'string' ? plan.parse(number) : plan.getExampleNumberForNonGeoEntity(number);
  const e164 = plan.format(example, PhoneNumberFormat.E164);
  const { valid, possibility, regionCode } = awesome.parsePhoneNumber(e164);
  const others = [plan.isValidNumber(example), js.isValidPhoneNumber(e164)];
  console.log(`${e164}: awesome ${valid} (${possibility}, ${regionCode}), google ${others[0]}, js ${others[1]}`);
}
JS

echo "awesome-phonenumber $AWESOME, google-libphonenumber $GOOGLE, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the packages agree or differ otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: only awesome-phonenumber refuses them."

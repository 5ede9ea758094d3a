#!/usr/bin/env bash
# Intl takes time zones that it does not list, among them those of Ukrainian numbers
#
# Installed: libphonenumber-geo-carrier 2.0.0 with libphonenumber-js 1.13.16 (npm), under Node 20
# (ICU 78.2).
#
# Question: a program finds the time zone of a number, so that it sends nothing at night. Is each
# zone one of `Intl.supportedValuesOf('timeZone')`, the list that forms and schemas check against?
#
# Expected: yes. The numbers' zones and the list both come from the tz database.
#
# What happens: the list has the names that CLDR chose long ago. `DateTimeFormat` takes today's
# names too, but calls them by the old ones. UTC works as well, and is not in the list:
#
#   UA Europe/Kyiv: listed false, called Europe/Kiev
#   VN Asia/Ho_Chi_Minh: listed false, called Asia/Saigon
#   UTC: listed false, called UTC
#
# For other countries (India: Asia/Calcutta) the numbers' data have the old name, which is listed,
# while the name that people write, Asia/Kolkata, is not.
#
# Why it matters: a check against the list refuses Ukrainian and Vietnamese numbers' zones, the
# zones of an Indian customer, and UTC, the usual default. A comparison of stored names with
# `resolvedOptions().timeZone` fails for the same places. Try the zone in a DateTimeFormat instead.
set -euo pipefail

GEO=2.0.0
LIBPHONENUMBER_JS=1.13.16
EXPECT='zones of mobile numbers that are not listed:
  UA Europe/Kyiv: listed false, called Europe/Kiev
  VN Asia/Ho_Chi_Minh: listed false, called Asia/Saigon
other names:
  Asia/Kolkata: listed false, called Asia/Calcutta
  Asia/Calcutta: listed true, called Asia/Calcutta
  America/Argentina/Buenos_Aires: listed false, called America/Buenos_Aires
  Europe/London: listed true, called Europe/London
  UTC: listed false, called UTC'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund --legacy-peer-deps \
  "libphonenumber-geo-carrier@$GEO" "libphonenumber-js@$LIBPHONENUMBER_JS" >&2

cat > "$dir/look.cjs" <<'JS'
const { timezones } = require('libphonenumber-geo-carrier');
const { getCountries, getExampleNumber } = require('libphonenumber-js/max');
const examples = require('libphonenumber-js/mobile/examples');

const listed = new Set(Intl.supportedValuesOf('timeZone'));
const describe = (zone) => {
  const called = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  return `${zone}: listed ${listed.has(zone)}, called ${called}`;
};

(async () => {
  console.log('zones of mobile numbers that are not listed:');
  for (const country of getCountries().sort()) {
    const number = getExampleNumber(country, examples);
    for (const zone of (number && (await timezones(number))) ?? []) {
      if (!listed.has(zone)) console.log(`  ${country} ${describe(zone)}`);
    }
  }
  console.log('other names:');
  const names = ['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Europe/London', 'UTC'];
  for (const zone of names) console.log(`  ${describe(zone)}`);
})();
JS

echo "libphonenumber-geo-carrier $GEO, Node $(node --version), ICU $(node -p process.versions.icu)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: other zones are listed. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: zones that work are not in the list."

#!/usr/bin/env bash
# libphonenumber misreads the numbers that it writes for Hong Kong
#
# Installed: google-libphonenumber 3.2.47 and libphonenumber-js 1.13.16 (npm), under Node 20.
#
# Question: `formatOutOfCountryCallingNumber` writes how a number is called from another country
# (from Hong Kong, a British one is 00 44 7400 123456). Does `parse` with that country read it back?
# Asked for the mobile example of every country, called from every country.
#
# Expected: the same number, always. The library knows the prefix that it has just written.
#
# What happens: it holds for all countries that one may call from, except Hong Kong. What it writes
# there, it reads as another number for three of four countries:
#
#   +91 8123456789 -> "00 91 81234 56789" -> +1 812-345-6789, a valid American number
#
# libphonenumber-js reads the same.
#
# Why: in its data the prefix of Hong Kong is 00 with a carrier's digits, or without any (001, 002,
# 006 to 009, 0030 and others). A calling code that begins like that loses its first digits.
#
# Why it matters: 00 is how most of the world writes the plus. A visitor in a form with the country
# Hong Kong gets "invalid", or the code goes to a stranger in a country of another price. Ask for
# the plus there, since 001 may be a prefix or the beginning of an American number.
set -euo pipefail

GOOGLE=3.2.47
LIBPHONENUMBER_JS=1.13.16
EXPECT='called from 245 countries, read back wrongly from: HK 185
of these valid, as another number: 20
  GH +233231234567 "00 233 23 123 4567": google +33231234567 FR, js +33231234567 FR
  IN +918123456789 "00 91 81234 56789": google +18123456789 US, js +18123456789 US
  JP +819012345678 "00 81 90-1234-5678": google +19012345678 US, js +19012345678 US
  PH +639051234567 "00 63 905 123 4567": google +39051234567 IT, js +39051234567 IT
  SD +249911231234 "00 249 91 123 1234": google +49911231234 DE, js +49911231234 DE'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "google-libphonenumber@$GOOGLE" "libphonenumber-js@$LIBPHONENUMBER_JS" >&2

cat > "$dir/look.cjs" <<'JS'
const { PhoneNumberFormat, PhoneNumberUtil } = require('google-libphonenumber');
const { getCountries, getExampleNumber, parsePhoneNumber } = require('libphonenumber-js/max');
const examples = require('libphonenumber-js/mobile/examples');
const plan = PhoneNumberUtil.getInstance();

const countries = getCountries().filter((country) => getExampleNumber(country, examples)).sort();
const meant = countries.map((country) => [country, plan.parse(getExampleNumber(country, examples).number)]);
const e164 = (number) => plan.format(number, PhoneNumberFormat.E164);
const parse = (text, country) => {
  try {
    return plan.parse(text, country);
  } catch {
    return undefined; // it finds no number
  }
};

const wrong = [];
for (const from of countries) {
  for (const [country, number] of meant) {
    const written = plan.formatOutOfCountryCallingNumber(number, from);
    const read = parse(written, from);
    if (!read || e164(read) !== e164(number)) wrong.push({ from, country, number, written, read });
  }
}
const counts = new Map();
for (const { from } of wrong) counts.set(from, (counts.get(from) ?? 0) + 1);
const list = [...counts].map(([from, count]) => `${from} ${count}`).join(', ');
console.log(`called from ${countries.length} countries, read back wrongly from: ${list}`);

const valid = wrong.filter(({ read }) => read && plan.isValidNumber(read));
console.log(`of these valid, as another number: ${valid.length}`);
for (const { from, country, number, written, read } of valid) {
  if (!['GH', 'IN', 'JP', 'PH', 'SD'].includes(country)) continue;
  const js = parsePhoneNumber(written, from);
  const answers = `google ${e164(read)} ${plan.getRegionCodeForNumber(read)}, js ${js.number} ${js.country}`;
  console.log(`  ${country} ${e164(number)} "${written}": ${answers}`);
}
JS

echo "google-libphonenumber $GOOGLE, libphonenumber-js $LIBPHONENUMBER_JS, Node $(node --version)"
seen=$(timeout 100 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: other numbers are read back wrongly. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: only from Hong Kong, and for most countries."

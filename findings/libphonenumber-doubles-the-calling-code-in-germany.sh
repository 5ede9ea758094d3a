#!/usr/bin/env bash
# A German number without its plus becomes another valid number
#
# Installed: google-libphonenumber 3.2.47 and libphonenumber-js 1.13.16 (npm), under Node 20.
#
# Question: people leave out the plus: 4915123456789 instead of +4915123456789. If the country is
# given, does `parse` find the number that was meant? Asked for the mobile example of every
# country.
#
# Expected: the number that was meant, or an invalid one. By its source, the library looks
# for the calling code if the digits are not valid with it as they stand.
#
# What happens: it is right in all countries except three. In Germany, Indonesia and Kosovo the
# plan has so much room that the calling code reads as an area code. The answer is then a
# valid landline that nobody meant:
#
#   DE 4915123456789 -> +494915123456789, valid
#
# Both libraries say the same.
#
# Why it matters: a form with a country menu and no plus is the usual one. The person's number
# passes `isValid`, and the code goes by voice to a landline in Germany, or the person is told
# that the number is no mobile. Tests with British, French or American numbers never show it.
# If the digits begin with the calling code, put the plus there and try that first.
set -euo pipefail

GOOGLE=3.2.47
LIBPHONENUMBER_JS=1.13.16
EXPECT='google-libphonenumber
  DE: 4915123456789 -> +494915123456789, valid true
  ID: 62812345678 -> +6262812345678, valid true
  XK: 38343201234 -> +38338343201234, valid true
libphonenumber-js
  DE: 4915123456789 -> +494915123456789, valid true
  ID: 62812345678 -> +6262812345678, valid true
  XK: 38343201234 -> +38338343201234, valid true
countries asked: 244'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "google-libphonenumber@$GOOGLE" "libphonenumber-js@$LIBPHONENUMBER_JS" >&2

cat > "$dir/look.cjs" <<'JS'
const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = require('google-libphonenumber');
const { parsePhoneNumberFromString } = require('libphonenumber-js/max');
const plan = PhoneNumberUtil.getInstance();

const libraries = {
  'google-libphonenumber': (digits, country) => {
    const number = plan.parse(digits, country);
    return [plan.format(number, PhoneNumberFormat.E164), plan.isValidNumber(number)];
  },
  'libphonenumber-js': (digits, country) => {
    const number = parsePhoneNumberFromString(digits, country);
    return [number.number, number.isValid()];
  },
};
const examples = plan.getSupportedRegions().sort().flatMap((country) => {
  const number = plan.getExampleNumberForType(country, PhoneNumberType.MOBILE);
  return number ? [[country, plan.format(number, PhoneNumberFormat.E164)]] : [];
});
for (const [library, read] of Object.entries(libraries)) {
  console.log(library);
  for (const [country, meant] of examples) {
    const digits = meant.slice(1);
    const [number, valid] = read(digits, country);
    if (number !== meant) console.log(`  ${country}: ${digits} -> ${number}, valid ${valid}`);
  }
}
console.log(`countries asked: ${examples.length}`);
JS

echo "google-libphonenumber $GOOGLE, libphonenumber-js $LIBPHONENUMBER_JS, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: other countries, or none, are read like that. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the calling code is doubled in three countries."

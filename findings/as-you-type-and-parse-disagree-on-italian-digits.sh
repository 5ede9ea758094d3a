#!/usr/bin/env bash
# AsYouType.getNumber() and parsePhoneNumber read the same Italian digits as different numbers
#
# Installed: libphonenumber-js 1.13.16 (npm), under Node 20.
#
# Question: a form formats with `new AsYouType(country)` and asks it for the number. The server
# calls `parsePhoneNumber` with the same text and country. Do they agree? Asked for the mobile
# example of every country: as E.164, without the plus, in national format, and as bare digits.
#
# Expected: yes. They are two doors to one library.
#
# What happens: they agree on all but a few. Italian digits without the plus are a valid number
# for the parser, and a wrong one with +39 twice for AsYouType. So are those of the Maldives,
# Samoa and the Vatican:
#
#   IT 393123456789: parse +393123456789 valid, AsYouType +39393123456789 invalid
#
# Russian toll-free digits lose their first 8, and are too short then:
#
#   RU 8005550123: parse +78005550123 valid, AsYouType +7005550123 invalid
#
# Why it matters: 39 is also the start of Italian mobile numbers (391, 392, 393), so it needs
# more than the first digits to tell what was meant. The form says "invalid" to a number that the
# server would take, and only people of these countries see it. Let the form ask the
# parser, and use AsYouType only to format.
set -euo pipefail

LIBPHONENUMBER_JS=1.13.16
EXPECT='IT 393123456789: parse +393123456789 valid, AsYouType +39393123456789 invalid
MV 9607712345: parse +9607712345 valid, AsYouType +9609607712345 invalid
VA 393123456789: parse +393123456789 valid, AsYouType +39393123456789 invalid
WS 6857212345: parse +6857212345 valid, AsYouType +6856857212345 invalid
RU 8005550123: parse +78005550123 valid, AsYouType +7005550123 invalid
countries asked: 245'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "libphonenumber-js@$LIBPHONENUMBER_JS" >&2

cat > "$dir/look.cjs" <<'JS'
const { AsYouType, getCountries, getExampleNumber, parsePhoneNumber } = require('libphonenumber-js/max');
const examples = require('libphonenumber-js/mobile/examples');

const shown = (number) => `${number?.number} ${number?.isValid() ? 'valid' : 'invalid'}`;

function compare(country, text) {
  const typing = new AsYouType(country);
  typing.input(text);
  const parsed = shown(parsePhoneNumber(text, country));
  const typed = shown(typing.getNumber());
  if (parsed !== typed) console.log(`${country} ${text}: parse ${parsed}, AsYouType ${typed}`);
}

const countries = getCountries().filter((country) => getExampleNumber(country, examples));
for (const country of countries.sort()) {
  const example = getExampleNumber(country, examples);
  const texts = [example.number, example.number.slice(1), example.formatNational(), example.nationalNumber];
  for (const text of new Set(texts)) compare(country, text);
}
compare('RU', '8005550123');
console.log(`countries asked: ${countries.length}`);
JS

echo "libphonenumber-js $LIBPHONENUMBER_JS, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the two disagree on other numbers. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the form and the server read other numbers."

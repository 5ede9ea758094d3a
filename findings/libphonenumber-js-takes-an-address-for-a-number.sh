#!/usr/bin/env bash
# npm google-libphonenumber 3.2.47 and libphonenumber-js 1.12.31.
#
# Question: do both say the same of a field that holds more than a number?
# Expected: yes. Both are libphonenumber, with the same metadata.
# What happens: the first letters or signs that cannot be of a number end it for libphonenumber-js, which forgets the rest and finds the
# number valid. Google's takes letters for keys of a dial ("work" is 9675), and refuses "@":
#
#                                  google-libphonenumber        libphonenumber-js
#   07400123456@example.com        error                        +447400123456 valid
#   sip:+447400123456@example.com  error                        +447400123456 valid
#   +44 7400 123456 (work)         +4474001234569675 invalid    +447400123456 valid
#   +44 7400 123456 Anna           +4474001234562662 invalid    +447400123456 valid
#   +44 7400 FLOWER                +447400356937 valid          +447400 invalid
#
# Why it matters: a form in the browser shows that all is well, and the backend in Java, Python or with Google's port refuses it; or an e-mail
# address that begins with digits is sent a code by SMS. Send on what was parsed, in E.164, and not what was typed.
# Where documented: libphonenumber-js says that it does not parse letters of vanity numbers. It does not say what becomes of the rest.
set -euo pipefail
EXPECT='07400123456@example.com | error | +447400123456 valid
sip:+447400123456@example.com | error | +447400123456 valid
+44 7400 123456 (work) | +4474001234569675 invalid | +447400123456 valid
+44 7400 123456 Anna | +4474001234562662 invalid | +447400123456 valid
+44 7400 FLOWER | +447400356937 valid | +447400 invalid
Tel. 07400 123456 | +447400123456 valid | +447400123456 valid'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-save --silent google-libphonenumber@3.2.47 libphonenumber-js@1.12.31

cat >ask.cjs <<'NODE'
const google = require('google-libphonenumber').PhoneNumberUtil.getInstance()
const { parsePhoneNumberWithError } = require('libphonenumber-js/max')
const or = parse => { try { return parse() } catch { return 'error' } }
const valid = is => (is ? 'valid' : 'invalid')
for (const text of process.argv.slice(2)) {
  const theirs = or(() => {
    const number = google.parse(text, 'GB')
    return `${google.format(number, 0)} ${valid(google.isValidNumber(number))}`
  })
  const small = or(() => {
    const number = parsePhoneNumberWithError(text, 'GB')
    return `${number.number} ${valid(number.isValid())}`
  })
  console.log(`${text} | ${theirs} | ${small}`)
}
NODE
mapfile -t texts < <(sed 's/ | .*//' <<<"$EXPECT")
seen=$(node ask.cjs "${texts[@]}")
for name in google-libphonenumber libphonenumber-js; do echo "$name $(node -p "require('./node_modules/$name/package.json').version")"; done
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: one forgets what follows a number, the other counts its letters as digits."

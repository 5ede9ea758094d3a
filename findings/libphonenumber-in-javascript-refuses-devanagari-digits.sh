#!/usr/bin/env bash
# phonenumbers 8.12.57 for Python, as Debian 12 has it (python3-phonenumbers 8.12.57-4); npm google-libphonenumber 3.2.47 and
# libphonenumber-js 1.12.31.
#
# Question: which digits of other scripts do the ports of libphonenumber take?
# Expected: the same. JavaScript takes Arabic and full-width digits, so it knows that digits are not only 0 to 9.
# What happens: Python takes the decimal digits of every script. JavaScript takes ASCII, full-width, Arabic and Persian digits, and
# says of all others that this is no number:
#
#                              Python           google-libphonenumber   libphonenumber-js
#   Arabic, Persian            +447400123456    +447400123456           +447400123456
#   Devanagari, Bengali, Thai  +447400123456    error                   error
#
# Why it matters: a keyboard for Hindi, Marathi, Nepali, Bengali or Burmese can type its own digits, and address books hold them. A backend in
# Python takes what the form in the browser refuses; and a test with Arabic digits says that all is well.
# Where documented: nowhere side by side. The JavaScript source lists the digits that it maps.
set -euo pipefail
PACKAGE='python3-phonenumbers=8.12.57-4*'
EXPECT='ASCII: +447400123456 +447400123456 +447400123456
full-width: +447400123456 +447400123456 +447400123456
Arabic: +447400123456 +447400123456 +447400123456
Persian: +447400123456 +447400123456 +447400123456
Devanagari: +447400123456 error error
Bengali: +447400123456 error error
Thai: +447400123456 error error
Burmese: +447400123456 error error'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
npm install --prefix "$dir" --no-save --silent google-libphonenumber@3.2.47 libphonenumber-js@1.12.31
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, Python, and those of their libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" python3.11-minimal libpython3.11-minimal libpython3.11-stdlib |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
lib=x86_64-linux-gnu
export LD_LIBRARY_PATH="$dir/root/lib/$lib:$dir/root/usr/lib/$lib"

cat >parse.py <<'PYTHON'
import sys
import phonenumbers
try:
    print(phonenumbers.format_number(phonenumbers.parse(sys.argv[1]), phonenumbers.PhoneNumberFormat.E164))
except phonenumbers.NumberParseException:
    print('error')
PYTHON
cat >ask.cjs <<'NODE'
const { execFileSync } = require('node:child_process')
const google = require('google-libphonenumber').PhoneNumberUtil.getInstance()
const { parsePhoneNumberWithError } = require('libphonenumber-js')
const zeros = { ASCII: 0x30, 'full-width': 0xff10, Arabic: 0x660, Persian: 0x6f0, Devanagari: 0x966, Bengali: 0x9e6, Thai: 0xe50, Burmese: 0x1040 }
const env = { ...process.env, PYTHONHOME: 'root/usr', PYTHONPATH: 'root/usr/lib/python3/dist-packages', PYTHONUTF8: '1' }
const or = parse => { try { return parse() } catch { return 'error' } }
for (const [script, zero] of Object.entries(zeros)) {
  const number = '+447400123456'.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))
  const answers = [
    execFileSync('root/usr/bin/python3.11', ['parse.py', number], { env }).toString().trim(),
    or(() => google.format(google.parse(number), 0)),
    or(() => parsePhoneNumberWithError(number).number),
  ]
  console.log(`${script}: ${answers.join(' ')}`)
}
NODE
seen=$(node ask.cjs)
dpkg-deb --show --showformat '${Package} ${Version}\n' python3-phonenumbers_*.deb
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: JavaScript knows the digits of four scripts, Python those of all."

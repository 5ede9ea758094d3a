#!/usr/bin/env bash
# Gammu 1.42.0 and python-gammu 3.2.4, as Debian 12 has them (python3-gammu 3.2.4-1+b3).
#
# Question: what does it make of a sender with letters outside of ASCII, or with one of the signs that GSM 03.38 has elsewhere?
# Expected: the same letters as in the text of the message. Both are in the GSM default alphabet (3GPP TS 23.040, 9.1.2.5).
# What happens: the text is decoded and the sender is not. Its septets are taken for ASCII, and septet 0, which is "@", ends it.
#
#   sender, as sent    shown
#   Käse               K{se
#   A@B                A
#   Ñ1                 ]1
#   A_B                A, character 17, B
#
# Why it matters: who receives codes on a modem, to test that they arrive or to compare senders, finds a name that nobody sent. smsd
# of smstools 3.1.21 shows "K{se" and "A", too. Telephones show the right name.
# Where documented: nowhere.
set -euo pipefail
PACKAGE='python3-gammu=3.2.4-1*'
# name, its septets, and what `Number` is when each has come as the sender of a message with the name as its text
EXPECT="Käse | 4b 7b 73 65 | sender 'K{se' text 'Käse'
A@B | 41 00 42 | sender 'A' text 'A@B'
Ñ1 | 5d 31 | sender ']1' text 'Ñ1'
A_B | 41 11 42 | sender 'A\\x11B' text 'A_B'
Acme | 41 63 6d 65 | sender 'Acme' text 'Acme'"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, Python, and those of their libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" python3.11-minimal libpython3.11-minimal libpython3.11-stdlib |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
lib=x86_64-linux-gnu
export LD_LIBRARY_PATH="$dir/root/lib/$lib:$dir/root/usr/lib/$lib:$dir/root/usr/lib"
export PYTHONHOME="$dir/root/usr" PYTHONPATH="$dir/root/usr/lib/python3/dist-packages" PYTHONUTF8=1

cat >decode.py <<'PYTHON'
import sys
import gammu

def packed(septets):
    bits = sum(septet << 7 * i for i, septet in enumerate(septets))
    return bits.to_bytes((7 * len(septets) + 7) // 8, 'little')

print('Gammu %s, python-gammu %s' % gammu.Version()[:2], file=sys.stderr)
for line in sys.stdin:
    name, octets, _ = line.strip().split(' | ')
    septets = bytes.fromhex(octets)
    digits = (7 * len(septets) + 3) // 4  # the length of an address counts semi-octets
    pdu = bytes([4, digits, 0xD0]) + packed(septets)  # SMS-DELIVER, alphanumeric sender
    pdu += bytes.fromhex('0000 62119221000040') + bytes([len(septets)]) + packed(septets)
    message = gammu.DecodePDU(pdu, False)
    print(f"{name} | {octets} | sender {message['Number']!r} text {message['Text']!r}")
PYTHON
seen=$(root/usr/bin/python3.11 decode.py <<<"$EXPECT")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: the sender's name is read as ASCII, the text is not."

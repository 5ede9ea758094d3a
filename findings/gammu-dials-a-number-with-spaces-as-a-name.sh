#!/usr/bin/env bash
# Gammu 1.42.0, as Debian 12 has it (gammu 1.42.0-8), with the dummy telephone that it brings along.
#
# Question: to which address does it send, if the number is written with spaces or hyphens?
# Expected: to the same as without them, or an error.
# What happens: it takes everything that is not made of digits alone for a name. The destination becomes an alphanumeric address
# (type D0) with the letters "+44 7700 900123", which no telephone has. `sendsms` says OK and exits 0: what becomes of it is the
# network's affair. The number without a plus goes out as a number of unknown type (81), not as an international one (91).
#
#   +447700900123     -> 91 447700900123
#   447700900123      -> 81 447700900123
#   +44 7700 900123   -> D0 "+44 7700 900123"
#   +44-7700-900123   -> D0 "+44-7700-900123"
#
# Why it matters: people write telephone numbers in groups, and libphonenumber's INTERNATIONAL format does, too. A code sent to such
# a number is counted as sent. Hand over E.164, with the plus.
# Where documented: nowhere. Gammu's manual says "destination number".
set -euo pipefail
PACKAGE='gammu=1.42.0-8*'
# number as given, type of address, and the first ten octets of the address in the SMS-SUBMIT
EXPECT='+447700900123 = 91 447700091032
447700900123 = 81 447700091032
00447700900123 = 91 447700091032
+44 7700 900123 = D0 2B1A0D74BBC160A01C0C
+44-7700-900123 = D0 2B1AAD75BBC160AD1C0C
07700 900123 = D0 B0DB0D0603E560B0986C'
EXPECT_SEND='Sending SMS 1/1..OK'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root phone/sms/{1,2,3,4,5} phone/fs
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
lib=x86_64-linux-gnu
export LD_LIBRARY_PATH="$dir/root/lib/$lib:$dir/root/usr/lib/$lib:$dir/root/usr/lib"
printf '[gammu]\nconnection = none\nmodel = dummy\ndevice = %s/phone\n' "$dir" >gammurc
gammu() { root/usr/bin/gammu -c gammurc "$@" 2>/dev/null; }

# the PDU after SMSC, flags and reference (3 octets): length of the address, its type, the address
address() {
  local pdu length
  pdu=$(gammu displaysms TEXT "$1" -text 'code 1' | sed -n 's/^Whole PDU *: //p')
  length=$(((16#${pdu:8:2} + 1) / 2 * 2))
  length=$((length < 20 ? length : 20))
  echo "${pdu:10:2} ${pdu:12:length}"
}
seen=$(while IFS= read -r line; do echo "${line% = *} = $(address "${line% = *}")"; done <<<"$EXPECT")
sent=$(gammu sendsms TEXT '+44 7700 900123' -text 'code 1' | grep -o 'Sending SMS 1/1..OK')

gammu --version | head -1
echo "$seen"
echo "to +44 7700 900123: $sent"
if [ "$seen" != "$EXPECT" ] || [ "$sent" != "$EXPECT_SEND" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: a number with spaces is sent to as a name, and the answer is OK."

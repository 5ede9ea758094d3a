#!/usr/bin/env bash
# espeak-ng 1.51, as Debian 12 has it (espeak-ng 1.51+dfsg-10).
#
# Question: how does it say a code that begins with a zero?
# Expected: digit by digit. So it does in English, German, French and Italian: "zero one two three four five".
# What happens: in Spanish, Portuguese, Dutch, Polish, Norwegian, Swedish, Romanian, Lithuanian, Greek, Vietnamese and more it
# says each digit, and between them the word for the sign that separates thousands: "cero uno dos PUNTO tres cuatro cinco".
# Codes of four digits are right. In Kyrgyz the sign comes in place of the first three digits, which are lost.
#
#   es 012345 -> Te**o uno dos PUNTO t**es kwat**o Tinko
#   nl 012345 -> n8l en tve P8NT dri vir vEIf
#   ky 012345 -> YTYR ytS tOrt beS                      ("comma three four five")
#
# Why it matters: one random code in ten begins with a zero. Who hears it types a point, or takes the number for another one; a
# test with another code, or in English, shows nothing. Say the digits one by one: "0 1 2 3 4 5" is right everywhere.
# Where documented: nowhere. That digits are grouped by three is in the language files.
set -euo pipefail
PACKAGE='espeak-ng=1.51+dfsg-10*'
# language, text, and the phonemes (espeak-ng -x) without marks of stress, length and pause
EXPECT='es 0123 = Te**ounodost**es
es 012345 = Te**ounodospuntot**eskwat**oTinko
es punto = punto
nl 012345 = n8lentvep8ntrivirvEIf
nl punt = p8nt
pl 012345 = zEROjEdEndvakROpkatSytStERypEnts
pl kropka = kROpka
sv 012345 = nOlEttvop8NttRefyRafEm
en 012345 = zi@roUw0ntuTrifo@faIv
ky 0 1 2 3 4 5 = noLbirekiytStOrtbeS
ky 012345 = ytyrytStOrtbeS
ky 000000 = ytyrnoLnoLnoL'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
lib=x86_64-linux-gnu
export LD_LIBRARY_PATH="$dir/root/lib/$lib:$dir/root/usr/lib/$lib:$dir/root/usr/lib/$lib/pulseaudio"
export ESPEAK_DATA_PATH="$dir/root/usr/lib/$lib"

seen=$(while IFS= read -r line; do
  language=${line%% *} text=${line#* }
  text=${text%% = *}
  spoken=$(root/usr/bin/espeak-ng -q -x -v "$language" "$text" | tr -cd 'a-zA-Z0-9@*')
  echo "$language $text = $spoken"
done <<<"$EXPECT")

root/usr/bin/espeak-ng --version | cut -d' ' -f1-4
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: a leading zero brings the word for the thousands separator into the code."

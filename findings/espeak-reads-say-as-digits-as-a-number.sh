#!/usr/bin/env bash
# espeak-ng 1.51, as Debian 12 has it (espeak-ng 1.51+dfsg-10).
#
# Question: which interpret-as of SSML's <say-as> makes it say a code digit by digit?
# Expected: "digits", which Amazon Polly takes. "telephone" is the one to doubt.
# What happens: the other way round. "digits" is ignored, and the code is read as one number. "telephone" says digit by digit, so do
# "characters" and espeak's own "tts:digits". Nothing warns.
#
#   digits     4829 -> four thousand eight hundred and twenty nine
#   telephone  4829 -> four eight two nine
#
# Why it matters: SSML that was written for a cloud's voice goes through espeak-ng, for a test or as the voice in reserve. The code
# is then a number of thousands and hundreds, which few people can write down.
# Where documented: eSpeak's page on SSML lists "characters", "tts:char", "tts:key" and "tts:digits".
set -euo pipefail
PACKAGE='espeak-ng=1.51+dfsg-10*'
# interpret-as, and the phonemes (espeak-ng -x) without marks of stress, length and pause
EXPECT='digits = fo@TaUz@ndeIthVndrI2d@ntwEntinaIn
number = fo@TaUz@ndeIthVndrI2d@ntwEntinaIn
telephone = fo@reIttunaIn
characters = fo@eIttunaIn
tts:digits = fo@reIttunaIn'

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

seen=$(while read -r kind _; do
  ssml="<speak><say-as interpret-as=\"$kind\">4829</say-as></speak>"
  echo "$kind = $(root/usr/bin/espeak-ng -q -x -m -v en "$ssml" | tr -cd 'a-zA-Z0-9@*')"
done <<<"$EXPECT")

root/usr/bin/espeak-ng --version | cut -d' ' -f1-4
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: say-as \"digits\" reads a number, \"telephone\" reads digits."

#!/usr/bin/env bash
# Flite 2.2, as Debian 12 has it (flite 2.2-5), with the voice kal that it brings along.
#
# Question: how does it say a code of six digits that is written in two groups of three?
# Expected: the same for both groups: two numbers, or the digits one by one.
# What happens: with a hyphen it is a range, with "to" between. With a space the first group is said in digits and the last one is a number:
#
#   482910     four hundred eighty two thousand nine hundred ten
#   482-910    four hundred eighty two TO nine hundred ten
#   482 910    four eight two nine hundred ten
#   48-29-10   four eight two nine one zero
#   012-345    zero one two TO three hundred forty five
#
# Why it matters: messengers and authenticator apps show codes in two groups, so texts of this form get into a call. "To" sounds like
# "two": who listens hears a digit more. And "four eight two nine hundred ten" is not written down as 482910. Single digits with spaces
# between are right: "4 8 2 9 1 0".
# Where documented: nowhere.
set -euo pipefail
PACKAGE='flite=2.2-5*'
EXPECT='482910 = four hundred eighty two thousand nine hundred ten
482-910 = four hundred eighty two to nine hundred ten
482 910 = four eight two nine hundred ten
48-29-10 = four eight two nine one zero
012-345 = zero one two to three hundred forty five
4 8 2 9 1 0 = four eight two nine one zero'

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
export LD_LIBRARY_PATH="$dir/root/usr/lib/x86_64-linux-gnu"

seen=$(while IFS= read -r line; do
  # -pw prints the words that are said
  words=$(root/usr/bin/flite -pw -t "${line% = *}" none)
  echo "${line% = *} = ${words% }"
done <<<"$EXPECT")
dpkg-deb --show --showformat '${Package} ${Version}\n' flite_*.deb
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: two groups are a range, or half digits and half a number."

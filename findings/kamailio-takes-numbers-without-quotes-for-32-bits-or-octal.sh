#!/usr/bin/env bash
# Kamailio 5.6.3, as Debian 12 has it (kamailio 5.6.3-2).
#
# Question: `if ($rU == 112)` in its configuration asks for the number that is called, without quotes. Does that work for all numbers?
# Expected: yes, or the configuration is refused at the start, as `0800` is.
# What happens: it works up to 2147483647. In the United States that is up to the area code 213. A longer number keeps its lower 32 bits,
# and a number with a zero in front, and no 8 or 9, is octal. Neither is ever equal to what was called. Nothing is logged.
#
#   $var(x) = 2025550123      2025550123     "2025550123" == 2025550123       true
#   $var(x) = 3125550123      -1169417173    "3125550123" == 3125550123       false
#   $var(x) = 447700900123    1024301339     "447700900123" == 447700900123   false
#   $var(x) = 0112            74             "0112" == 0112                   false
#
# Why it matters: the branch that plays the code, or rings the desk, is never taken for such a number, and the call goes where the rest
# goes. Tests with 112, an extension or a number of New York pass. And $var(x) is dialled or billed as another number. Write every
# telephone number in quotes: then == compares letters.
# Where documented: the Core Cookbook of 5.6 says of integers "numbers of 32bit size". It does not say that longer ones are cut without
# an error, nor what a zero in front does.
set -euo pipefail
PACKAGE='kamailio=5.6.3-2*'
# number in the configuration, what a variable holds after `= number`, and if the called number is equal to it, without and with quotes
EXPECT='112 = 112, equal true, in quotes true
2025550123 = 2025550123, equal true, in quotes true
2125550123 = 2125550123, equal true, in quotes true
3125550123 = -1169417173, equal false, in quotes true
447700900123 = 1024301339, equal false, in quotes true
0112 = 74, equal false, in quotes true
0123 = 83, equal false, in quotes true'
EXPECT_REFUSED='0800 = parse error'

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
lib=$dir/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$lib/kamailio:$lib:$dir/root/lib/x86_64-linux-gnu"

port=$(node -e 'const s = require("dgram").createSocket("udp4").bind(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
# a configuration that asks its questions at the start
ask() {
  printf 'debug=0\nlog_stderror=yes\nfork=no\ndisable_tcp=yes\nlisten=udp:127.0.0.1:%s\nmpath="%s/kamailio/modules/"\n' "$port" "$lib"
  printf 'loadmodule "%s.so"\n' pv xlog htable
  printf 'modparam("htable", "htable", "unused=>size=1;")\nevent_route[htable:mod-init] {\n'
  for number in "$@"; do
    cat <<CONF
  \$var(x) = $number;
  \$var(called) = "$number";
  \$var(equal) = "false";
  \$var(quoted) = "false";
  if (\$var(called) == $number) \$var(equal) = "true";
  if (\$var(called) == "$number") \$var(quoted) = "true";
  xlog("L_ALERT", "SEEN $number = \$var(x), equal \$var(equal), in quotes \$var(quoted)\n");
CONF
  done
  printf '  xlog("L_ALERT", "SEEN end\\n");\n}\nrequest_route { exit; }\n'
}
kamailio=(root/usr/sbin/kamailio -DD -E -m 32 -M 8 -Y "$dir" -w "$dir")

mapfile -t numbers < <(sed 's/ = .*//' <<<"$EXPECT")
ask "${numbers[@]}" >ask.cfg
"${kamailio[@]}" -f ask.cfg >log 2>&1 &
started+=($!)
for _ in $(seq 100); do grep -q 'SEEN end' log && break; sleep 0.1; done
seen=$(sed -n 's/.*SEEN \(.* = .*\)/\1/p' log)
ask "${EXPECT_REFUSED%% *}" >refused.cfg
"${kamailio[@]}" -c -f refused.cfg >refused.log 2>&1 || true
refused="${EXPECT_REFUSED%% *} = $(grep -m1 -o 'parse error' refused.log)"

root/usr/sbin/kamailio -v | sed -n 's/^version: //p'
echo "$seen"
echo "$refused"
if [ "$seen" != "$EXPECT" ] || [ "$refused" != "$EXPECT_REFUSED" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  echo "$EXPECT_REFUSED"
  exit 1
fi
echo "As described: numbers of more than 32 bits and those with a zero in front are others."

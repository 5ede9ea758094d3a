#!/usr/bin/env bash
# Kannel 1.4.5, as Debian 12 has it (kannel 1.4.5-12), with npm smpp 0.5.1 as the SMSC.
#
# Question: to whom does sendsms send, if the number is written in groups (`to=+44 7700 900123`, percent-encoded as it must be)?
# Expected: to +447700900123, or 400: it answers 400 to brackets, dots and letters.
# What happens: to three numbers. A space in `to` separates recipients, so the text goes to +44, to 7700 and to 900123, the last two as
# national numbers (type 2). The answer is 202, and three messages are paid for. A plus that is not percent-encoded is a space, too:
# `to=+447700900123` goes out as the national number 447700900123, not as an international one (type 1).
#
#   to=%2B447700900123          -> 1 447700900123
#   to=%2B44%207700%20900123    -> 1 44, 2 7700, 2 900123
#   to=+447700900123            -> 2 447700900123
#   to=%2B44-7700-900123        -> 1 44-7700-900123
#   to=%2B44(0)7700900123       -> 400
#
# Why it matters: people write numbers in groups. The code goes to short numbers of the network, and nobody is told. Hand over E.164 without spaces.
# Where documented: the user guide says that `to` takes several numbers with spaces between. It does not mention hyphens.
set -euo pipefail
PACKAGE='kannel=1.4.5-12*'
# `to` as in the query, the answer, and dest_addr_ton with destination_addr of each submit_sm
EXPECT='%2B447700900123 = 202 1 447700900123
%2B44%207700%20900123 = 202 1 44, 2 7700, 2 900123
+447700900123 = 202 2 447700900123
%2B44-7700-900123 = 202 1 44-7700-900123
%2B44(0)7700900123 = 400 '

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
npm install --prefix "$dir" --no-save --silent smpp@0.5.1
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu"

# an SMSC, which notes to whom each text is (the text tells the line of the list)
cat >smsc.cjs <<'NODE'
const smpp = require('smpp')
const { createServer } = require('node:net')
const { appendFileSync, writeFileSync } = require('node:fs')
const smsc = smpp.createServer(session => {
  session.on('error', () => {})
  session.on('bind_transceiver', pdu => session.send(pdu.response()))
  session.on('submit_sm', pdu => {
    session.send(pdu.response({ message_id: 'x' }))
    appendFileSync('submitted', `${pdu.short_message.message} ${pdu.dest_addr_ton} ${pdu.destination_addr}\n`)
  })
})
const free = [0, 1, 2].map(() => createServer().listen(0, '127.0.0.1')) // ports for Kannel itself
smsc.listen(0, '127.0.0.1', () => {
  writeFileSync('ports', [smsc, ...free].map(server => server.address().port).join(' ') + '\n')
  for (const server of free) server.close()
})
NODE
node smsc.cjs &
started+=($!)
until [ -s ports ]; do sleep 0.1; done
read -r smsc admin box send <ports
cat >kannel.conf <<CONF
group = core
admin-port = $admin
admin-password = x
smsbox-port = $box
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
host = 127.0.0.1
port = $smsc
transceiver-mode = true
smsc-username = a
smsc-password = b
system-type = ""

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = $send

group = sendsms-user
username = u
password = p
CONF
root/usr/sbin/bearerbox kannel.conf >bearerbox.log 2>&1 &
started+=($!)
sleep 2
root/usr/sbin/smsbox kannel.conf >smsbox.log 2>&1 &
started+=($!)
sleep 2
seen=$(line=0
while IFS= read -r expected; do
  line=$((line + 1)) to=${expected%% = *}
  status=$(node -e 'fetch(process.argv[1]).then(answer => console.log(answer.status))' \
    "http://127.0.0.1:$send/cgi-bin/sendsms?username=u&password=p&from=Acme&text=$line&to=$to")
  sleep 1
  echo "$to = $status $(sed -n "s/^$line //p" submitted | sed ':a;N;$!ba;s/\n/, /g')"
done <<<"$EXPECT")
root/usr/sbin/bearerbox --version 2>/dev/null | sed -n 1p
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: a number in groups is sent to in three."

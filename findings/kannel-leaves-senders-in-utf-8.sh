#!/usr/bin/env bash
# Kannel 1.4.5, as Debian 12 has it (kannel 1.4.5-12), with an SMSC of thirty lines.
#
# Question: sendsms gets sender and text in UTF-8, its default. Which octets does the SMSC get for the letter "ä" in each?
# Expected: the same, 7B, which is "ä" in the GSM default alphabet.
# What happens: the text is converted, the sender is not. Its UTF-8 goes out as it came, two octets for one letter:
#
#   from=Käse      4B C3 A4 73 65      should be 4B 7B 73 65
#   text=Käse      4B 7B 73 65
#   from=Acme_24   41 63 6D 65 5F ...  "_" is 11 in the GSM alphabet; 5F is the section sign
#
# Why it matters: a name of eleven letters with an umlaut has twelve octets and may be refused, or the telephone shows two wrong letters in place of
# one. The answer is 202 in any case. Keep senders to A-Z, a-z, 0-9 and space, which are the same in all these alphabets.
# Where documented: the user guide has `charset` and `alt-charset` for texts. It does not say what holds for `from`.
set -euo pipefail
PACKAGE='kannel=1.4.5-12*'
# sender and text as sent, then source_addr and short_message as they came
EXPECT='Käse = 4b c3 a4 73 65, text 4b 7b 73 65
Acme_24 = 41 63 6d 65 5f 32 34, text 41 63 6d 65 11 32 34
Acme 24 = 41 63 6d 65 20 32 34, text 41 63 6d 65 20 32 34'

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
export LD_LIBRARY_PATH="$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu"

# an SMSC, which writes down the octets of sender and text
cat >smsc.mjs <<'NODE'
import { createServer } from 'node:net'
import { appendFileSync, writeFileSync } from 'node:fs'
const hex = octets => octets.toString('hex').replace(/..(?=.)/g, '$& ')
const smsc = createServer(socket => {
  let input = Buffer.alloc(0)
  socket.on('error', () => {}).on('data', data => {
    input = Buffer.concat([input, data])
    while (input.length >= 16 && input.length >= input.readUInt32BE(0)) {
      const pdu = input.subarray(0, input.readUInt32BE(0))
      input = input.subarray(pdu.length)
      const command = pdu.readUInt32BE(4)
      if (command >= 0x80000000) continue
      if (command === 4) {
        const fromAt = pdu.indexOf(0, 16) + 3 // after service_type, ton and npi
        const from = pdu.subarray(fromAt, pdu.indexOf(0, fromAt))
        const lengthAt = pdu.indexOf(0, fromAt + from.length + 3) + 10 // after the number, two empty times and seven octets
        const text = pdu.subarray(lengthAt + 1, lengthAt + 1 + pdu[lengthAt])
        appendFileSync('seen', `${hex(from)}, text ${hex(text)}\n`)
      }
      const body = Buffer.from('x\0') // system_id or message_id
      const head = Buffer.alloc(16)
      head.writeUInt32BE(16 + body.length, 0)
      head.writeUInt32BE(command + 0x80000000, 4)
      head.writeUInt32BE(pdu.readUInt32BE(12), 12)
      socket.write(Buffer.concat([head, body]))
    }
  })
})
const free = [0, 1, 2].map(() => createServer().listen(0, '127.0.0.1')) // ports for Kannel itself
smsc.listen(0, '127.0.0.1', () => {
  writeFileSync('ports', [smsc, ...free].map(server => server.address().port).join(' ') + '\n')
  for (const server of free) server.close()
})
NODE
node smsc.mjs &
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
seen=$(while IFS= read -r line; do
  name=${line% = *}
  : >seen
  node -e 'fetch(`http://127.0.0.1:${process.argv[1]}/cgi-bin/sendsms?${new URLSearchParams({ username: "u", password: "p",
    to: "+447700900123", from: process.argv[2], text: process.argv[2] })}`)' "$send" "$name"
  for _ in $(seq 50); do [ -s seen ] && break; sleep 0.1; done
  echo "$name = $(cat seen)"
done <<<"$EXPECT")
root/usr/sbin/bearerbox --version 2>/dev/null | sed -n 1p
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: the text is converted to the GSM alphabet, the sender goes out as it came."

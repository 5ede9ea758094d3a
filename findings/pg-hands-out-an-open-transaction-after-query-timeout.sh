#!/usr/bin/env bash
# After a query_timeout pg never sends the ROLLBACK, and the pool hands out the open transaction
#
# Installed: pg 8.23.1 and a PostgreSQL 18.4 from @embedded-postgres (npm), under Node 20.
# PostgreSQL runs as "nobody", since it refuses root.
#
# Question: a transaction is written as the documentation of pg does it: BEGIN, and ROLLBACK in
# `catch`, and `client.release()` in `finally`. One statement takes longer than `query_timeout`.
# What becomes of the next user of the connection?
#
# Expected: as with `statement_timeout`: ROLLBACK ends the transaction, and the next INSERT is written.
#
# What happens: the slow statement still runs, so ROLLBACK has to wait for it, and its own time is
# over, too. It is taken out of the queue and never sent. The connection goes back to the pool
# in the middle of the transaction. What is written on it then, resolves, is seen on that
# connection, and by nobody else. It is gone when the pool ends:
#
#   statement_timeout  ROLLBACK sent      INSERT resolved, others see 1 row, afterwards 1
#   query_timeout      ROLLBACK not sent  INSERT resolved, others see 0 rows, afterwards 0
#
# Why it matters: one lock that is held too long, and every code that is stored on this connection from
# then on is lost, with "sent" in all logs. PostgreSQL keeps the locks of the transaction, too, so
# more statements run out of time. Use `statement_timeout`, or `client.release(error)` after an error,
# which closes the connection.
# Where documented: "milliseconds before a query call will timeout". Nothing of transactions.
set -euo pipefail

PG=8.23.1
SERVER=18.4.0-beta.17
EXPECT='statement_timeout: canceling statement due to statement timeout
  ROLLBACK resolved, sent to the server: true
  INSERT resolved; rows on this connection: 1, for others: 1, after the pool has ended: 1
query_timeout: Query read timeout
  ROLLBACK rejected (Query read timeout), sent to the server: false
  INSERT resolved; rows on this connection: 1, for others: 0, after the pool has ended: 0'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case $(uname -m) in x86_64) arch=x64 ;; *) arch=arm64 ;; esac
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "pg@$PG" "@embedded-postgres/linux-$arch@$SERVER" >&2
bin=$dir/node_modules/@embedded-postgres/linux-$arch/native/bin
as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups --pdeathsig INT)
chmod 755 "$dir"
mkdir "$dir/data"
chown nobody:nogroup "$dir/data"
(cd / && "${as_nobody[@]}" "$bin/initdb" -D "$dir/data" -U postgres --auth=trust --locale=C >/dev/null)

cat > "$dir/look.cjs" <<'JS'
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { setTimeout: wait } = require('node:timers/promises');
const { Client, Pool } = require('pg');

(async () => {
  const free = net.createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address();
  free.close();
  const [command, ...words] = process.argv.slice(2);
  const options = ['-p', port, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'log_statement=all'];
  const server = spawn(command, [...words, ...options], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (lines) => { log += lines; });
  while (!log.includes('ready to accept connections')) await wait(50);

  const address = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
  const other = new Client(address);
  await other.connect();
  await other.query('CREATE TABLE codes (id int)');
  const count = async (client) => (await client.query('SELECT count(*)::int AS rows FROM codes')).rows[0].rows;

  for (const limit of ['statement_timeout', 'query_timeout']) {
    await other.query('TRUNCATE codes');
    log = '';
    const pool = new Pool({ ...address, max: 1, [limit]: 300 });
    const client = await pool.connect();
    let rollback;
    try {
      await client.query('BEGIN');
      await client.query('SELECT pg_sleep(2)');
      await client.query('COMMIT');
    } catch (error) {
      console.log(`${limit}: ${error.message}`);
      rollback = await client.query('ROLLBACK').then(() => 'resolved', ({ message }) => `rejected (${message})`);
    } finally {
      client.release();
    }
    await wait(2500); // until the server has finished the slow statement
    console.log(`  ROLLBACK ${rollback}, sent to the server: ${log.includes('ROLLBACK')}`);

    await pool.query('INSERT INTO codes VALUES (1)');
    const rows = [await count(pool), await count(other)];
    await pool.end();
    await wait(200);
    console.log(`  INSERT resolved; rows on this connection: ${rows[0]}, for others: ${rows[1]}, after the pool has ended: ${await count(other)}`);
  }
  await other.end();
  server.kill('SIGINT');
  await once(server, 'exit');
})();
JS

echo "pg $PG, $("$bin/postgres" --version), Node $(node --version)"
seen=$(timeout 58 node "$dir/look.cjs" "${as_nobody[@]}" "$bin/postgres" -D "$dir/data")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: pg ends these transactions otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the transaction is still open, and takes the next INSERT with it."

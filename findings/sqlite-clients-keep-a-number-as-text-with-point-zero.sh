#!/usr/bin/env bash
# SQLite clients write a telephone number into a text column with ".0" behind it
#
# Installed: sql.js 1.17.0, @libsql/client 0.18.0 and node-sqlite3-wasm 0.8.60 (npm), under Node 20.
#
# Question: the column is TEXT, as it should be, and the program binds a telephone number that is a
# number in JavaScript, as it came in JSON or from a CSV file read with types. What is in the column?
#
# Expected: the text "447700900123".
#
# What happens: only node-sqlite3-wasm writes that. A code of six digits shows the fault in
# libsql, and hides it in sql.js:
#
#                      447700900123        482913
#   sql.js             "447700900123.0"    "482913"
#   @libsql/client     "447700900123.0"    "482913.0"
#   node-sqlite3-wasm  "447700900123"      "482913"
#
# Why: sql.js binds an integer if the number has 32 bits or less, libsql never. The others are
# bound as floating point, and SQLite writes those with a point. A BigInt is right in all three.
#
# Why it matters: who said STOP by a number is not found in the list, though it is there, and is sent
# to again. Tests with a short number and sql.js pass. Bind strings: `String(number)`.
# Where documented: not in the READMEs of the three.
set -euo pipefail

SQLJS=1.17.0
LIBSQL=0.18.0
WASM=0.8.60
EXPECT='sql.js: 447700900123 is "447700900123.0", found by text: false
sql.js: 482913 is "482913", found by text: true
sql.js: 447700900123n is "447700900123", found by text: true
@libsql/client: 447700900123 is "447700900123.0", found by text: false
@libsql/client: 482913 is "482913.0", found by text: false
@libsql/client: 447700900123n is "447700900123", found by text: true
node-sqlite3-wasm: 447700900123 is "447700900123", found by text: true
node-sqlite3-wasm: 482913 is "482913", found by text: true
node-sqlite3-wasm: 447700900123n is "447700900123", found by text: true'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 150 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "sql.js@$SQLJS" "@libsql/client@$LIBSQL" "node-sqlite3-wasm@$WASM" >&2

cat > "$dir/look.cjs" <<'JS'
const { createClient } = require('@libsql/client');
const { Database } = require('node-sqlite3-wasm');
const initSqlJs = require('sql.js');

(async () => {
  const { Database: SqlJs } = await initSqlJs();
  const inMemory = new SqlJs();
  const libsql = createClient({ url: ':memory:' });
  const wasm = new Database();
  // each runs a statement, and gives the first value of the first row
  const clients = {
    'sql.js': (sql, values) => inMemory.exec(sql, values)[0]?.values[0]?.[0],
    '@libsql/client': async (sql, values) => (await libsql.execute({ sql, args: values })).rows[0]?.[0],
    'node-sqlite3-wasm': (sql, values) => Object.values(wasm.all(sql, values)[0] ?? {})[0],
  };
  for (const [name, run] of Object.entries(clients)) {
    await run('CREATE TABLE stopped (number TEXT)', []);
    for (const number of [447700900123, 482913, 447700900123n]) {
      await run('INSERT INTO stopped VALUES (?)', [number]);
      const held = await run('SELECT number FROM stopped', []);
      const found = await run('SELECT count(*) FROM stopped WHERE number = ?', [String(number)]);
      const written = typeof number === 'bigint' ? `${number}n` : number;
      console.log(`${name}: ${written} is ${JSON.stringify(held)}, found by text: ${found === 1}`);
      await run('DELETE FROM stopped', []);
    }
  }
})();
JS

echo "sql.js $SQLJS, @libsql/client $LIBSQL, node-sqlite3-wasm $WASM, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the clients bind numbers otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: two of three write a point and a zero."

/**
 * What a flow costs the embedded store, in pages of the journal: each is written twice, once there and once to the file. Ids, hashes
 * and times are made from the number of the flow, so that every run writes the same pages.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { sealField } from '../../src/core/secrets/sealed-field.ts';
import { newVerification } from '../../src/core/verification/verification-fixture.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { TallyBook } from '../../src/store/sqlite/statistics/tally-book.ts';
import { type Call, runBatch } from '../../src/store/sqlite/thread/batch.ts';
import { createOperations } from '../../src/store/sqlite/thread/operations.ts';
import { packSettlement, packVerification } from '../../src/store/sqlite/thread/packed.ts';
import { attempt, LAX, SUBMITTED, settlement } from '../store/contract/rig.ts';
import { type Bound, OF_THE_STORE } from './table.ts';

const START = Date.UTC(2026, 10, 2);
/** As many as the hashes of a busy day are spread over many pages. */
const FLOWS = 6_000;
/** Calls of each kind in a batch; those of a flow are in batches one after the other. */
const OF_EACH = 12;
/** Of 2,000 flows a second. */
const BATCH_MS = 6;

const digest = (text: string, encoding: 'hex' | 'base64url') =>
  createHash('sha256').update(text).digest(encoding);

for (const [name, { isHeard, bounds }] of Object.entries({
  'over a carrier from which nothing comes back': { isHeard: false, bounds: OF_THE_STORE.silent },
  'over a carrier with receipts': { isHeard: true, bounds: OF_THE_STORE.heard },
})) {
  test(`a flow ${name} costs the store no more than the table allows`, (t) => {
    const pages = writtenBy(t, isHeard);
    for (const [tree, count] of Object.entries(pages)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 8)) {
      t.diagnostic(`  ${tree}: ${(count / FLOWS).toFixed(2)}`);
    }
    assert.deepEqual(tooDear(t, { pages: sum(Object.values(pages)) / FLOWS }, { pages: bounds }), []);
  });
}

/** Pages that the flows wrote to the journal, by the table or index that they belong to. */
function writtenBy(t: TestContext, isHeard: boolean): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-costs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'store.db');
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  migrate(db);
  // As in the thread, but the journal is kept to be read, and no commit waits for the disk.
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON',
  );
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const book = new TallyBook(db);
  const operations = createOperations(db, LAX, book, { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });
  const keyring = new Keyring('0'.repeat(64), undefined, () => START);
  const flows = Array.from({ length: FLOWS }, (_, index) => flowOf(keyring, index, isHeard));
  for (let from = 0; from < FLOWS + 2 * OF_EACH; from += OF_EACH) {
    const calls = [
      ...flows.slice(from, from + OF_EACH).map(({ issue }) => issue),
      ...flows.slice(Math.max(0, from - OF_EACH), from).map(({ settle }) => settle),
      ...flows
        .slice(Math.max(0, from - 2 * OF_EACH), Math.max(0, from - OF_EACH))
        .map(({ confirm }) => confirm),
    ];
    const failed = runBatch({ db, operations, book }, calls).filter((result) => 'failure' in result);
    assert.deepEqual(failed, []);
  }
  const confirmed = db
    .prepare('SELECT count(*) AS count FROM verification WHERE confirmed_at IS NOT NULL')
    .get();
  assert.equal(confirmed?.count, FLOWS);
  return countByTree(db, `${file}-wal`);
}

function flowOf(
  keyring: Keyring,
  index: number,
  isHeard: boolean,
): Record<'issue' | 'settle' | 'confirm', Call> {
  const createdAt = START + Math.floor(index / OF_EACH) * BATCH_MS;
  const time = createdAt.toString(16).padStart(12, '0');
  const id = `ver_${time}7${index.toString(16).padStart(4, '0')}${digest(`id ${index}`, 'hex').slice(0, 15)}`;
  const address = `+49152${String((index * 61_803_399) % 100_000_000).padStart(8, '0')}`;
  const [accountId, keyId] = [`acc_${'0'.repeat(16)}`, `key_${'0'.repeat(16)}`];
  const verification = newVerification({
    ...{ id, accountId, keyId, createdAt },
    destinationHash: keyring.destinationHash(accountId, false, address).current,
    destinationSealed: sealField(keyring, address, id, 'destination'),
    codeMac: keyring.newCodeMac(id, '123456'),
    codeSealed: sealField(keyring, '123456', id, 'code'),
  });
  const taken = attempt(createdAt, {
    reference: digest(`reference ${index}`, 'hex').slice(0, 24),
    recipientTag: isHeard ? keyring.recipientTag(address) : null,
  });
  const guess = {
    ...{ id, accountId, test: false, codeMac: verification.codeMac, earlierCodeMacs: [] },
    now: createdAt + 2 * BATCH_MS,
  };
  return {
    issue: ['issue', packVerification(verification)],
    settle: ['settle', packSettlement(settlement(verification, SUBMITTED, [taken]))],
    confirm: ['confirm', guess],
  };
}

/** The frames of a journal (https://sqlite.org/walformat.html): 24 bytes of header, which begin with the page's number, and the page. */
function countByTree(db: DatabaseSync, file: string): Record<string, number> {
  const names = new Map(
    db
      .prepare('SELECT name, pageno FROM dbstat')
      .all()
      .map(({ name, pageno }) => [Number(pageno), String(name)]),
  );
  const journal = readFileSync(file);
  const size = journal.readUInt32BE(8);
  const counts: Record<string, number> = {};
  for (let at = 32; at < journal.length; at += 24 + size) {
    const name = names.get(journal.readUInt32BE(at)) ?? 'of the file';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function tooDear(
  t: TestContext,
  costs: Readonly<Record<string, number>>,
  bounds: Readonly<Record<string, Bound>>,
): string[] {
  return Object.entries(bounds).flatMap(([name, { most }]) => {
    const cost = costs[name] ?? Number.NaN;
    t.diagnostic(`${name}: ${cost.toFixed(2)} of ${most}`);
    return cost <= most ? [] : [`${name}: ${cost.toFixed(2)} a flow, of which ${most} are allowed`];
  });
}

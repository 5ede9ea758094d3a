/** Puts a backup into the data folder while no service runs on it. */
import { resolve } from 'node:path';
import { secretFile } from '../../config/secret.ts';
import { type RestoreOutcome, restore } from '../../store/sqlite/backup/restore.ts';
import { readConfiguration } from '../configuration.ts';
import { createSecretCheck } from '../doctor/secret-check.ts';
import { CommandFailure } from '../failure.ts';
import { withProgress } from '../progress.ts';
import { describeContents, explainNoBackup } from './backup.ts';
import { announceStore, refuseDatabase } from './command-store.ts';

export interface RestoreOptions {
  readonly from: string;
  readonly replace?: boolean;
}

export async function restoreBackup({ from, replace = false }: RestoreOptions): Promise<void> {
  const config = await readConfiguration();
  const { dataDir } = config;
  refuseDatabase(config, 'use pg_restore for a backup made by pg_dump');
  announceStore(config);
  const opens = createSecretCheck(config);
  const outcome = await withProgress((report) =>
    restore({ from: resolve(from), dataDir, replace, opens, report }),
  );
  if (outcome.kind !== 'restored') throw new CommandFailure(explain(outcome, from, dataDir));
  console.log(`restored ${from} into ${dataDir}: ${describeContents(outcome.contents)}`);
  if (outcome.kept !== undefined) console.log(`What was there before is kept as ${outcome.kept}`);
  for (const line of FORGOTTEN) console.log(line);
}

/** Dearest first. docs/backup.md has them all. */
const FORGOTTEN = [
  'Everything after the backup is lost. Before you start the service, see to what costs most (docs/backup.md, "Restore"):',
  '- Numbers that were put on the do-not-send list since then, also by STOP, get messages again: `block import` what',
  '  `block export` printed of the store before.',
  '- API keys revoked since then are valid again: revoke them. Keys made since then are unknown.',
  '- People removed since then, or given a lower role, have what they had. Passwords and passkeys are those of then.',
  "- The guard's rules, settings, budgets and webhooks are those of then.",
  '- Numbers erased since then are back: erase them again (docs/personal-data.md).',
  '- What you noted of the audit log since then is no longer in it: `audit verify --expect` fails with such a note.',
];

function explain(
  outcome: Exclude<RestoreOutcome, { kind: 'restored' }>,
  from: string,
  dataDir: string,
): string {
  switch (outcome.kind) {
    case 'foreign':
      return `${from} was not made by \`countersign backup\`, or is incomplete; use another copy of it`;
    case 'damaged':
      return `${from} is damaged (${outcome.detail}); use another copy of it, or an earlier backup`;
    case 'empty':
      return `${from} holds no store; use an earlier backup`;
    case 'newer':
      return `${from} was written by a newer version (schema ${outcome.schema}, this version knows ${outcome.known}); upgrade the program`;
    case 'refused':
      return `${from} is of no use to this version: ${outcome.why}`;
    case 'wrong-secret':
      return `the backup was written with a different secret; set \`secret\` to that secret, or put it into ${secretFile(dataDir)}`;
    case 'running':
      return `a service is running in ${dataDir}; stop it, or set another dataDir`;
    case 'occupied':
      return `there is already a store in ${dataDir}; use --replace to replace it (a copy is kept)`;
    case 'stray-log':
      return `${outcome.path} belongs to a store that is gone and must not be applied to another one; move it away`;
    case 'not-kept':
      return `the store in ${dataDir} cannot be copied first: ${explainNotKept(outcome.reason, dataDir)}`;
    case 'busy':
      return `another command is using the store in ${dataDir}; try again when it has finished`;
    case 'unwritable':
      return `the store could not be written (${outcome.detail}) and is unchanged; check the disk and try again`;
  }
}

type NotKept = Extract<RestoreOutcome, { kind: 'not-kept' }>['reason'];

function explainNotKept(reason: NotKept, dataDir: string): string {
  if (reason.kind !== 'damaged') return explainNoBackup(reason, dataDir);
  return `it is damaged (${reason.detail}); move countersign.db with its -wal and -shm files to another folder, and restore again`;
}

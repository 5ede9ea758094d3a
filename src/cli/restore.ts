/** Putting a backup into the data folder, where no service runs. */
import { resolve } from 'node:path';
import { secretFile } from '../config/secret.ts';
import { type RestoreOutcome, restore } from '../store/sqlite/restore.ts';
import { describeContents, explainNoBackup } from './backup.ts';
import { announceStore, refuseDatabase } from './command-store.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { createSecretCheck } from './secret-check.ts';

export interface RestoreOptions {
  readonly from: string;
  readonly replace?: boolean;
}

export async function restoreBackup({ from, replace = false }: RestoreOptions): Promise<void> {
  const config = readConfiguration();
  const { dataDir } = config;
  refuseDatabase(config, 'pg_restore puts back what pg_dump backed up');
  announceStore(config);
  const outcome = await restore({ from: resolve(from), dataDir, replace, opens: createSecretCheck(config) });
  if (outcome.kind !== 'restored') throw new CommandFailure(explain(outcome, from, dataDir));
  console.log(`restored ${from} into ${dataDir}: ${describeContents(outcome.contents)}`);
  if (outcome.kept !== undefined) console.log(`What was there before is kept as ${outcome.kept}`);
  console.log('What came after the backup is unknown now. Keys revoked since are valid again: revoke them.');
}

function explain(
  outcome: Exclude<RestoreOutcome, { kind: 'restored' }>,
  from: string,
  dataDir: string,
): string {
  switch (outcome.kind) {
    case 'foreign':
      return `${from} was not made by \`countersign backup\`, or its end is missing; take another copy of it`;
    case 'damaged':
      return `${from} is damaged (${outcome.detail}); take another copy of it, or an earlier backup`;
    case 'newer':
      return `${from} was written by a newer version (schema ${outcome.schema}, this version knows ${outcome.known}); upgrade the program`;
    case 'wrong-secret':
      return `the backup was written with another secret than the one in force; set \`secret\` to that one, or put it into ${secretFile(dataDir)}`;
    case 'running':
      return `a service runs in ${dataDir}; stop it, or set another dataDir`;
    case 'occupied':
      return `there is a store in ${dataDir}; --replace puts the backup in its place and keeps it beside`;
    case 'stray-log':
      return `${outcome.path} belongs to a store that is gone, and must not meet another; move it away`;
    case 'not-kept':
      return `what is in ${dataDir} cannot be kept: ${explainNotKept(outcome.reason, dataDir)}`;
    case 'busy':
      return `another command uses the store in ${dataDir}; try again when it is over`;
    case 'unwritable':
      return `the store could not be written (${outcome.detail}), and is as it was; look at the disk and try again`;
  }
}

type NotKept = Extract<RestoreOutcome, { kind: 'not-kept' }>['reason'];

function explainNotKept(reason: NotKept, dataDir: string): string {
  if (reason.kind !== 'damaged') return explainNoBackup(reason, dataDir);
  return `it is damaged (${reason.detail}); move countersign.db and its -wal and -shm to a folder of their own, and restore again`;
}

/** Copying the embedded store into a file. Works while the service runs, and does not hold it up. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import { findSecret, secretFile } from '../config/secret.ts';
import { backUp, type NoBackup } from '../store/sqlite/backup.ts';
import type { Contents } from '../store/sqlite/inspection.ts';
import { announceStore, describeNoStore, refuseDatabase } from './command-store.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { createSecretCheck } from './secret-check.ts';

/** Prints what the backup holds, and what must be kept besides: the secret is never in the same file. */
export async function makeBackup({ to }: { readonly to: string }): Promise<void> {
  const config = readConfiguration();
  refuseDatabase(config, 'pg_dump backs it up');
  announceStore(config);
  const outcome = await backUp(config.dataDir, resolve(to));
  if (outcome.kind !== 'made') throw new CommandFailure(explainNoBackup(outcome, config.dataDir));
  const { contents } = outcome;
  console.log(
    `backed up to ${to}, and checked: ${describeContents(contents)}; ${mebibytes(statSync(to).size)}`,
  );
  console.log(
    `Keep besides, in another place: ${nameSecret(config)}. Without it the backup confirms nothing.`,
  );
  if (contents.newest !== undefined && !createSecretCheck(config)(contents.newest)) {
    console.error(
      'warning: the secret that this command sees does not open the store; the service is given another, keep that one',
    );
  }
}

export function describeContents({ verifications, newest }: Contents): string {
  const time = newest === undefined ? '' : `, the newest of ${new Date(newest.createdAt).toISOString()}`;
  return `${verifications} verifications${time}`;
}

/** What is wrong and what to do, in a line. */
export function explainNoBackup(reason: NoBackup, dataDir: string): string {
  switch (reason.kind) {
    case 'absent':
      return describeNoStore(dataDir);
    case 'exists':
      return reason.path.endsWith('.part')
        ? `${reason.path} exists: a backup writes it, or was killed; remove it if none runs`
        : `${reason.path} exists and is not overwritten; choose another name`;
    case 'no-room':
      return `the disk has ${mebibytes(reason.free)} free and must have ${mebibytes(reason.needed)}; make room, or back up to another disk`;
    case 'unwritable':
      return `the copy could not be written (${reason.detail}), and nothing of it is left; look at the disk and try again`;
    case 'damaged':
      return `the store in ${dataDir} is damaged (${reason.detail}); restore an earlier backup`;
    case 'newer':
      return `the store was written by a newer version (schema ${reason.schema}, this version knows ${reason.known}); use that version`;
  }
}

function nameSecret({ secret, dataDir }: Config): string {
  if (secret !== undefined) return 'the secret that the configuration sets';
  return findSecret(dataDir) === undefined
    ? 'the secret that the service is given'
    : `the secret, ${secretFile(dataDir)}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Copies the embedded store into a file. Works while the service runs, and does not block it. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findSecret, secretFile } from '../../config/secret.ts';
import type { Config } from '../../config/table/schema.ts';
import { backUp, type NoBackup } from '../../store/sqlite/backup/backup.ts';
import type { Contents } from '../../store/sqlite/backup/inspection.ts';
import { describeEmptied } from '../../store/sqlite/file/emptied.ts';
import { storeFile } from '../../store/sqlite/file/store-file.ts';
import { readConfiguration } from '../configuration.ts';
import { createSecretCheck } from '../doctor/secret-check.ts';
import { CommandFailure } from '../failure.ts';
import { withProgress } from '../progress.ts';
import { announceStore, describeNoStore, refuseDatabase } from './command-store.ts';

/** Prints what the backup holds and what else to keep: the secret is never in the same file. */
export async function makeBackup({ to }: { readonly to: string }): Promise<void> {
  const config = await readConfiguration();
  refuseDatabase(config, 'pg_dump backs it up');
  announceStore(config);
  const outcome = await withProgress((report) => backUp(config.dataDir, resolve(to), report));
  if (outcome.kind !== 'made') throw new CommandFailure(explainNoBackup(outcome, config.dataDir));
  const { contents } = outcome;
  console.log(
    `backed up to ${to} and checked: ${describeContents(contents)}; ${mebibytes(statSync(to).size)}`,
  );
  console.log(`Also keep, in another place: ${nameSecret(config)}. Without it the backup is useless.`);
  if (contents.newest !== undefined && !createSecretCheck(config)(contents.newest)) {
    console.error(
      'warning: the secret that this command sees does not open the store; the service uses another one, keep that',
    );
  }
}

export function describeContents({ verifications, newest }: Contents): string {
  const time = newest === undefined ? '' : `, the newest from ${new Date(newest.createdAt).toISOString()}`;
  return `${verifications} verifications${time}`;
}

/** What is wrong and what to do, in one line. */
export function explainNoBackup(reason: NoBackup, dataDir: string): string {
  switch (reason.kind) {
    case 'absent':
      return describeNoStore(resolve(dataDir));
    case 'exists':
      return reason.path.endsWith('.part')
        ? `${reason.path} exists: a backup is running or was killed; remove the file if none is running`
        : `${reason.path} already exists; choose another name`;
    case 'no-room':
      return `the disk has ${mebibytes(reason.free)} free, but the backup needs ${mebibytes(reason.needed)}; free some space, or back up to another disk`;
    case 'unwritable':
      return `the copy could not be written (${reason.detail}) and was removed; check the disk and try again`;
    case 'damaged':
      return `the store in ${dataDir} is damaged (${reason.detail}); restore an earlier backup`;
    case 'empty':
      return describeEmptied(resolve(storeFile(dataDir)));
    case 'newer':
      return `the store was written by a newer version (schema ${reason.schema}, this version knows ${reason.known}); use that version`;
  }
}

function nameSecret({ secret, dataDir }: Config): string {
  if (secret !== undefined) return 'the secret that the configuration sets';
  return findSecret(dataDir) === undefined ? "the service's secret" : `the secret, ${secretFile(dataDir)}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

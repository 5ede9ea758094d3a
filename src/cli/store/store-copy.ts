/** Moves the embedded store to PostgreSQL while no service runs on either. */
import { resolve } from 'node:path';
import { secretFile } from '../../config/secret.ts';
import type { Config } from '../../config/table/schema.ts';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { type DatabaseAddress, parseDatabaseAddress } from '../../options/database-address.ts';
import { type MoveOutcome, moveStore } from '../../store/move/move.ts';
import { describeNotUpgraded, olderSchema } from '../../store/shared/not-upgraded.ts';
import { describeEmptied } from '../../store/sqlite/file/emptied.ts';
import { storeFile } from '../../store/sqlite/file/store-file.ts';
import { readConfiguration } from '../configuration.ts';
import { createSecretCheck } from '../doctor/secret-check.ts';
import { CommandFailure } from '../failure.ts';
import { withProgress } from '../progress.ts';

export interface StoreCopyOptions {
  readonly from: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** Prints what was copied, once it is durable. */
export async function copyToDatabase({ from, to, json = false }: StoreCopyOptions): Promise<void> {
  const config = await readConfiguration();
  const dataDir = folderOf(from);
  const address = to === undefined ? configuredAddress(config) : addressOf('--to', to);
  console.error(`store: ${resolve(storeFile(dataDir))}, to PostgreSQL ${address.shown}`);
  const { limits, retention } = config;
  const opens = createSecretCheck({ ...config, dataDir });
  const outcome = await withProgress((report) =>
    moveStore({ dataDir, address, limits, retention, opens, report }),
  ).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new CommandFailure(
      `the database ${address.shown} cannot be used (${reasonOf(error)}); nothing was copied; fix it and start again`,
    );
  });
  if (outcome.kind !== 'moved') throw new CommandFailure(explain(outcome, dataDir, address));
  const { counts } = outcome;
  if (json) {
    const copied = Object.fromEntries(counts);
    console.log(JSON.stringify({ from: dataDir, to: address.shown, copied }, null, 2));
    return;
  }
  console.log(`copied ${dataDir} to ${address.shown}; the counts match on both sides:`);
  for (const [name, count] of counts) console.log(`  ${count} ${name}`);
  if (config.secret === undefined) {
    console.log(
      `Set \`secret\` to the content of ${secretFile(dataDir)}: without it the database is useless.`,
    );
  }
  console.log(
    'Start the service with `store.url`, and never on the folder again: it would send queued messages twice.',
  );
}

/** The folder of `sqlite:FOLDER`. */
function folderOf(from: string): string {
  const [, folder] = /^sqlite:(.+)$/s.exec(from) ?? [];
  if (folder !== undefined) return resolve(folder);
  throw new CommandFailure('--from is not the address of an embedded store; expected sqlite:FOLDER');
}

function configuredAddress({ store }: Config): DatabaseAddress {
  if (store.url !== undefined) return addressOf('store.url', store.url);
  throw new CommandFailure('--to is missing; name the database, postgres://..., there or in `store.url`');
}

function addressOf(field: string, text: string): DatabaseAddress {
  const parsed = parseDatabaseAddress(text);
  if (parsed.ok) return parsed.address;
  const { wrong, expected, fix } = parsed.problem;
  throw new CommandFailure(`${field} ${wrong}; expected ${expected}; ${fix}`);
}

/** Errors of sockets that tried several addresses have a code but no message. */
function reasonOf({ message, cause }: StoreUnavailable): string {
  if (message !== '') return message;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
}

function explain(
  outcome: Exclude<MoveOutcome, { kind: 'moved' }>,
  dataDir: string,
  { shown }: DatabaseAddress,
): string {
  switch (outcome.kind) {
    case 'absent':
      return `there is no store in ${dataDir}; use --from sqlite:FOLDER with the data folder of the service`;
    case 'running':
      return `a service is running in ${dataDir}; stop it first: what it writes after the copy would be lost`;
    case 'busy-source':
      return `another command is using the store in ${dataDir}; try again when it has finished`;
    case 'damaged':
      return `the store in ${dataDir} is damaged (${outcome.detail}); restore a backup into a folder and copy that`;
    case 'empty':
      return describeEmptied(storeFile(dataDir));
    case 'older':
      return describeNotUpgraded(olderSchema(outcome.schema, outcome.known));
    case 'newer':
      return `the store was written by a newer version (schema ${outcome.schema}, this version knows ${outcome.known}); use that version`;
    case 'wrong-secret':
      return `the configured secret does not open the store in ${dataDir}; set \`secret\` to the secret of its service (and \`previousSecret\` while you rotate it)`;
    case 'occupied':
      return `the database ${shown} is not empty (${outcome.tables.join(', ')}); use a new one: existing data is never replaced or mixed`;
    case 'busy-target':
      return `the database ${shown} is in use; stop the services on it, or wait for the running copy, and try again`;
  }
}

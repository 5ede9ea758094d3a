/** Prints the audit log of an account, oldest entry first. Works while the service runs. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ExportFormat, exportAuditLog } from '../../accounts/audit-log/export.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';
import { accountOf } from './verify.ts';

export interface ExportOptions {
  readonly account: string;
  readonly format: string;
  /** Times such as 2026-11-01T00:00:00Z; `to` is exclusive. */
  readonly from?: string;
  readonly to?: string;
}

export async function exportAudit({ account, format, from, to }: ExportOptions): Promise<void> {
  if (!isFormat(format)) throw new CommandFailure('--format must be csv or json');
  const span = {
    ...(from !== undefined && { from: timeOf('--from', from) }),
    ...(to !== undefined && { to: timeOf('--to', to) }),
  };
  await withStore(await readConfiguration(), async (store) => {
    const { id } = await accountOf(store, account);
    // A slow reader must not make us hold the log in memory.
    const parts = Readable.from(await exportAuditLog(store, id, format, span));
    await pipeline(parts, process.stdout, { end: false });
  });
}

const isFormat = (format: string): format is ExportFormat => format === 'csv' || format === 'json';

function timeOf(option: string, text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new CommandFailure(`${option} must be a time such as 2026-11-01T00:00:00Z`);
}

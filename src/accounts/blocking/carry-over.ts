/** Do-not-send lists in clear, to be put into another store: numbers with who put them there, and when. */
import type { Actor } from '../../core/accounts/actor.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact, openField } from '../../core/secrets/sealed-field.ts';
import { query, type Records } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';
import { type ListedNumber, sourceOf } from './blocked-numbers.ts';

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
}

interface Page {
  readonly numbers: readonly ListedNumber[];
  /** Of those that no secret opens any more. */
  readonly lost: number;
}

const PAGE = 500;

/** All numbers of a list, oldest first. */
export async function* readNumbers({ records, keyring }: Deps, accountId: string): AsyncGenerator<Page> {
  for (let after = ''; ; ) {
    const rows = await query(
      records,
      `SELECT id, number_sealed, source, created_at FROM blocked_number
        WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT ${PAGE}`,
      accountId,
      after,
    );
    const numbers = rows.flatMap((row): ListedNumber[] => {
      const [id, sealed] = [String(row.id), String(row.number_sealed)];
      if (!keyring.canOpen(sealed)) return [];
      const address = ifIntact(() => openField(keyring, sealed, id, 'destination'));
      return address === undefined
        ? []
        : [{ address, source: sourceOf(row), createdAt: Number(row.created_at) }];
    });
    yield { numbers, lost: rows.length - numbers.length };
    if (rows.length < PAGE) return;
    after = String(rows.at(-1)?.id);
  }
}

/** That somebody got numbers in clear, noted before they do. */
export async function noteExport(records: Records, accountId: string, by: Actor, at: number): Promise<void> {
  const entry = {
    accountId,
    by,
    action: 'number.exported' as const,
    subject: 'the do-not-send list',
    detail: '',
    at,
  };
  await records.transact([auditStep(records, entry)]);
}

/** What the portal asks about the configuration. It goes by the one in effect, and changes nothing. */
import { query, type Records } from '../../core/sql/records.ts';
import type { Configuration, ConfigurationForms } from './contract.ts';

/** What it reads from. */
export interface ConfigurationPort {
  given(): {
    readonly file: string;
    readonly isThere: boolean;
    readonly options: readonly Readonly<Configuration['options'][number]>[];
  };
  describeForms(): Promise<DeepReadonly<ConfigurationForms>>;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export interface ConfigurationReader {
  read(accountId: string): Promise<Configuration>;
  describeForms: ConfigurationPort['describeForms'];
}

/** There is one configuration for all accounts. Whoever set the installation up made its first account. */
const FIRST = `SELECT id FROM account ORDER BY created_at, id LIMIT 1`;

export function createConfigurationReader(records: Records, port: ConfigurationPort): ConfigurationReader {
  const isFirst = async (accountId: string) => (await query(records, FIRST))[0]?.id === accountId;
  return {
    describeForms: () => port.describeForms(),
    async read(accountId) {
      if (!(await isFirst(accountId))) return { operator: false, file: null, options: [] };
      const { file, isThere, options } = port.given();
      return { operator: true, file: { path: file, is_there: isThere }, options: [...options] };
    },
  };
}

/** What the portal asks about the configuration. It goes by the one in effect, and changes nothing. */
import type { Records } from '../../core/accounts/records.ts';
import { query } from '../../core/accounts/records.ts';
import type { Clock } from '../../core/clock.ts';
import { Pace } from '../routing/pace.ts';
import type { Checked, Configuration, ConfigurationForms } from './contract.ts';

/** What stands behind the desk. */
export interface ConfigurationPort {
  given(): {
    readonly file: string;
    readonly isThere: boolean;
    readonly options: readonly Readonly<Configuration['options'][number]>[];
  };
  describeForms(): Promise<DeepReadonly<ConfigurationForms>>;
  check(
    yaml: string,
  ): Promise<
    DeepReadonly<Pick<Checked, 'problems' | 'warnings' | 'files'>> & { readonly routesBefore: number }
  >;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export interface ConfigurationDesk {
  readonly pace: Pace;
  read(accountId: string): Promise<Configuration>;
  describeForms: ConfigurationPort['describeForms'];
  /** Undefined for people who only use the installation. */
  check(accountId: string, yaml: string): Promise<DeepReadonly<Checked> | undefined>;
}

const PER_MINUTE = 30;

/** There is one configuration for all accounts. Whoever set the installation up made its first account. */
const FIRST = `SELECT id FROM account ORDER BY created_at, id LIMIT 1`;

export function createConfigurationDesk(
  clock: Clock,
  records: Records,
  port: ConfigurationPort,
): ConfigurationDesk {
  const isFirst = async (accountId: string) => (await query(records, FIRST))[0]?.id === accountId;
  return {
    pace: new Pace(clock, PER_MINUTE),
    describeForms: () => port.describeForms(),
    async read(accountId) {
      if (!(await isFirst(accountId))) return { operator: false, file: null, options: [] };
      const { file, isThere, options } = port.given();
      return { operator: true, file: { path: file, is_there: isThere }, options: [...options] };
    },
    async check(accountId, yaml) {
      if (!(await isFirst(accountId))) return undefined;
      const { routesBefore, ...checked } = await port.check(yaml);
      return { ...checked, routes_before: routesBefore };
    },
  };
}

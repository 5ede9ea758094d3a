import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { GuardView } from '#contract/guard.ts';
import { GUARD_WORDS } from '../../format/guard.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import css from './page.module.css';

/** What becomes of what the guard would refuse. */
export function Mode({ mode: { account, service } }: Pick<GuardView, 'mode'>) {
  const { id } = useAccount();
  const mayChange = useMay('owner');
  const { label, means } = GUARD_WORDS[account ?? service];
  return (
    <div className={css.mode}>
      <Badge variant="light" color={(account ?? service) === 'enforce' ? 'green' : 'yellow'}>
        {label}
      </Badge>
      <Text size="sm">
        {means} {account === null ? 'This is the service’s default.' : 'This account chose that.'}{' '}
        {mayChange && (
          <Anchor component={Link} href={`/accounts/${id}/settings`} underline="always" inherit>
            Change it in the settings
          </Anchor>
        )}
      </Text>
    </div>
  );
}

/** What the guard does not see where others judge codes. */
export function Brought() {
  return (
    <Text size="sm">
      Keys of this account may bring codes that another system judges (hooks, <code>custom_code</code>). As
      long as they are not confirmed here, the guard sees when many new numbers of one range are asked for,
      and places that other codes closed. Slow pumping, and attacks on numbers all over a country, it does not
      see: set a budget.
    </Text>
  );
}

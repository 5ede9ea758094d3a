/** GET /portal/api/accounts/:account/start: which of the first steps are done, by what is really there. PUT .../start/dismissal puts them away. */
import Type, { type Static } from 'typebox';
import { Channel } from '../../operations/contract.ts';

export const Start = Type.Object({
  /** The account has a key that works. */
  key: Type.Boolean(),
  /** A test key sent a code, which the handset shows. */
  code: Type.Boolean(),
  /** A route leads live messages to a telephone. */
  carrier: Type.Boolean(),
  /** A carrier took a live message. */
  sent: Type.Boolean(),
  /** Channels of which a live message went to the simulator. */
  simulated: Type.Array(Channel),
  /** Channels that a live key may ask for, and that lead to the simulator, some or all of it. */
  live_simulated: Type.Array(Channel),
  /** Channels whose live messages reach telephones. One whose routes differ may be in both. */
  reaching: Type.Array(Channel),
  /** Somebody is notified of the account’s alerts: a member, its webhook, or a place that the configuration names. */
  alerts: Type.Boolean(),
  /** There is another member, or an open invitation. */
  colleague: Type.Boolean(),
  /** The person who asks has an authenticator, a passkey or single sign-on. */
  second_factor: Type.Boolean(),
  /** The service is a demo: its data goes away when it ends. */
  demo: Type.Boolean(),
  /** The person who asks has put the steps away. */
  dismissed: Type.Boolean(),
});
export type Start = Static<typeof Start>;

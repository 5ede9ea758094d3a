import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type * as accounts from '#contract/accounts.ts';
import type * as alerts from '#contract/alerts.ts';
import type * as audit from '#contract/audit.ts';
import type * as carrierTests from '#contract/carrier-tests.ts';
import type * as configuration from '#contract/configuration.ts';
import type * as doNotSend from '#contract/do-not-send.ts';
import type * as factors from '#contract/factors.ts';
import type * as firstRun from '#contract/first-run.ts';
import type * as guard from '#contract/guard.ts';
import type { CreatedKey, Key, KeyChange, KeyPage, KeySearch, NewKey, Rotation } from '#contract/keys.ts';
import type * as me from '#contract/me.ts';
import type * as members from '#contract/members.ts';
import type { NumberErased, NumberErasure, NumberExport, NumberQuery } from '#contract/numbers.ts';
import type {
  CarrierCourses,
  CarrierHealth,
  EarlierOverview,
  OverviewParts,
  OverviewQuery,
  OverviewTotal,
} from '#contract/overview.ts';
import type * as carriers from '#contract/routing.ts';
import type { Settings, SettingsView } from '#contract/settings.ts';
import type * as signIn from '#contract/sign-in.ts';
import type { Start } from '#contract/start.ts';
import type * as verifications from '#contract/verifications.ts';
import type * as webhooks from '#contract/webhooks.ts';

type OneTimeToken = { token: string };
type Done = { answer: undefined };

/** Every call under /portal/api/, with its input and its answer. */
interface Endpoints {
  'GET state': { answer: firstRun.PortalState };
  'POST setup': Done & { body: firstRun.Setup };
  'POST reset': Done & { body: OneTimeToken & { password: string } };

  'POST session': { body: signIn.SignIn; answer: signIn.SignInAnswer };
  'POST session/second-factor': Done & { body: signIn.SecondFactor };
  'POST session/passkey/options': { answer: { options: PublicKeyCredentialRequestOptionsJSON } };
  'POST session/passkey': Done & { body: { response: unknown } };
  'DELETE session': Done;

  'GET me': { answer: me.Me };
  'POST me/proof': Done & { body: me.Proof };
  'POST me/proof/passkey': Done & { body: { response: unknown } };
  'POST me/password': Done & { body: me.NewPassword };
  'POST me/totp': { answer: factors.TotpSecret };
  'POST me/totp/confirm': { body: { code: string }; answer: factors.RecoveryCodes };
  'DELETE me/totp': Done;
  'POST me/recovery-codes': { answer: factors.RecoveryCodes };
  'POST me/passkeys/options': { answer: { options: PublicKeyCredentialCreationOptionsJSON } };
  'POST me/passkeys': { body: { name: string; response: unknown }; answer: factors.Passkey };
  'DELETE me/passkeys/:id': Done;
  'DELETE me/identities/:id': Done;
  'GET me/sessions': { answer: me.Sessions };
  'DELETE me/sessions/:id': Done;
  'DELETE me/sessions': Done;

  'POST invitations/look': { body: OneTimeToken; answer: members.Invitation };
  'POST invitations/accept': { body: members.Acceptance; answer: signIn.SignInAnswer };
  'POST accounts': { body: accounts.NewAccount; answer: accounts.Account };
  'GET accounts/:account/members': { query: members.MembersQuery; answer: members.Members };
  'PATCH accounts/:account/members/:id': Done & { body: { role: accounts.Account['role'] } };
  'DELETE accounts/:account/members/:id': Done;
  'POST accounts/:account/invitations': { body: members.NewInvitation; answer: members.InvitationLink };
  'DELETE accounts/:account/invitations/:id': Done;
  'GET accounts/:account/audit': { query: audit.AuditQuery; answer: audit.AuditLog };

  'GET accounts/:account/alerts': { answer: alerts.Alerts };
  'GET accounts/:account/alerts/count': { answer: alerts.AlertCount };
  'PUT accounts/:account/alerts/email': Done;
  'DELETE accounts/:account/alerts/email': Done;
  'POST accounts/:account/alerts/email/test': { answer: alerts.TestAnswer };
  'PUT accounts/:account/alerts/webhook': {
    body: alerts.NewAlertWebhook;
    answer: alerts.AlertWebhookSecret;
  };
  'DELETE accounts/:account/alerts/webhook': Done;
  'POST accounts/:account/alerts/webhook/test': { answer: alerts.TestAnswer };

  'GET accounts/:account/routing': { answer: carriers.RoutingView };
  'POST accounts/:account/explain': { body: carriers.Question; answer: carriers.Answer };
  'GET accounts/:account/carriers/tests': { answer: carrierTests.CarrierTests };
  'POST accounts/:account/carriers/:carrier/test': {
    body: carrierTests.NewCarrierTest;
    answer: carrierTests.CarrierTest;
  };
  'GET accounts/:account/configuration': { answer: configuration.Configuration };
  'GET accounts/:account/configuration/forms': { answer: configuration.ConfigurationForms };
  'POST accounts/:account/configuration/check': {
    body: configuration.Proposal;
    answer: configuration.Checked;
  };

  'GET accounts/:account/keys': { answer: Key[] };
  'POST accounts/:account/keys/search': { body: KeySearch; answer: KeyPage };
  'POST accounts/:account/keys': { body: NewKey; answer: CreatedKey };
  'PATCH accounts/:account/keys/:id': { body: KeyChange; answer: Key };
  'POST accounts/:account/keys/:id/rotate': { body: Rotation; answer: CreatedKey };
  'POST accounts/:account/keys/:id/revoke': { answer: Key };

  'GET accounts/:account/guard': { answer: guard.GuardView };
  'GET accounts/:account/guard/refusals': { query: guard.RefusalQuery; answer: guard.RefusalPage };
  'GET accounts/:account/guard/evidence': { query: guard.EvidenceQuery; answer: guard.Evidence };
  'POST accounts/:account/guard/backtest': { body: guard.Backtest; answer: guard.BacktestAnswer };
  'GET accounts/:account/guard/rules': { answer: guard.GuardRules };
  'POST accounts/:account/guard/rules': Done & { body: guard.NewGuardRule };
  'DELETE accounts/:account/guard/rules/:id': Done;

  'GET accounts/:account/do-not-send/numbers': {
    query: doNotSend.BlockedNumbersQuery;
    answer: doNotSend.BlockedNumbers;
  };
  'POST accounts/:account/do-not-send/numbers': Done & { body: doNotSend.OneNumber };
  'POST accounts/:account/do-not-send/numbers/remove': Done & { body: doNotSend.OneNumber };
  'DELETE accounts/:account/do-not-send/numbers/:id': Done;
  'GET accounts/:account/do-not-send/ranges': { answer: doNotSend.BlockedRanges };
  'POST accounts/:account/do-not-send/ranges': Done & { body: doNotSend.NewRange };
  'DELETE accounts/:account/do-not-send/ranges/:prefix': Done;

  'GET accounts/:account/settings': { answer: SettingsView };
  'PUT accounts/:account/settings': Done & { body: Settings };
  'GET accounts/:account/start': { answer: Start };
  'PUT accounts/:account/start/dismissal': Done;
  'GET accounts/:account/overview/total': { query: OverviewQuery; answer: OverviewTotal };
  'GET accounts/:account/overview/parts': { query: OverviewQuery; answer: OverviewParts };
  'GET accounts/:account/overview/earlier': { query: OverviewQuery; answer: EarlierOverview };
  'GET accounts/:account/overview/carriers': { query: OverviewQuery; answer: CarrierCourses };
  'GET accounts/:account/carriers': { answer: CarrierHealth };

  'GET accounts/:account/verifications': {
    query: verifications.Filters;
    answer: verifications.VerificationPage;
  };
  'POST accounts/:account/verifications/search': {
    body: verifications.Search;
    answer: verifications.VerificationPage;
  };
  'GET accounts/:account/verifications/:id': { answer: verifications.VerificationDetail };
  'POST accounts/:account/verifications/:id/reveal': { answer: verifications.Revealed };
  'POST accounts/:account/numbers/export': { body: NumberQuery; answer: NumberExport };
  'POST accounts/:account/numbers/erase': { body: NumberErasure; answer: NumberErased };

  'GET accounts/:account/webhooks': { answer: webhooks.Webhook[] };
  'POST accounts/:account/webhooks': { body: webhooks.NewWebhook; answer: webhooks.WebhookSecret };
  'GET accounts/:account/webhooks/:id': { answer: webhooks.Webhook };
  'PATCH accounts/:account/webhooks/:id': { body: webhooks.WebhookChange; answer: webhooks.Webhook };
  'DELETE accounts/:account/webhooks/:id': Done;
  'POST accounts/:account/webhooks/:id/reveal': { answer: webhooks.WebhookSecret };
  'POST accounts/:account/webhooks/:id/rotate': { answer: webhooks.WebhookSecret };
  'POST accounts/:account/webhooks/:id/enable': Done;
  'POST accounts/:account/webhooks/:id/disable': Done;
  'POST accounts/:account/webhooks/:id/test': { answer: webhooks.TestMessage };
  'POST accounts/:account/webhooks/:id/replay': { body: webhooks.Replay; answer: webhooks.Replayed };
  'GET accounts/:account/webhooks/:id/messages': {
    query: webhooks.MessagesQuery;
    answer: webhooks.MessagePage;
  };
  'GET accounts/:account/webhooks/:id/messages/:message': { answer: webhooks.MessageDetail };
  'POST accounts/:account/webhooks/:id/messages/:message/replay': Done;
}

export type EndpointName = keyof Endpoints;
export type Question = Extract<EndpointName, `GET ${string}`>;
export type Action = Exclude<EndpointName, Question>;

export type AnswerOf<N extends EndpointName> = Endpoints[N]['answer'];

type ParameterOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParameterOf<Head> | ParameterOf<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** What any call may carry. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A call that is repeated with the same key is answered again, and done once. */
  readonly idempotencyKey?: string;
}

/** What a call needs besides its name; the account comes from the page. */
export type Input<N extends EndpointName> = Parts &
  ([Exclude<ParameterOf<N>, 'account'>] extends [never]
    ? object
    : { params: Record<Exclude<ParameterOf<N>, 'account'>, string> }) &
  (Endpoints[N] extends { body: infer B } ? { body: B } : object) &
  (Endpoints[N] extends { query: infer Q } ? { query: Q } : object);

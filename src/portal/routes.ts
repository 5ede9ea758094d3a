/** Every route of the portal's API: where it is, who may use it, and what it does. */
import type { FastifyInstance } from 'fastify';
import { type Access, as, type HookFor, problemsOf, securityOf } from '../identity/access.ts';
import { passkeys } from '../identity/factors/passkey-routes.ts';
import { secondFactor } from '../identity/factors/second-factor-routes.ts';
import { firstRun } from '../identity/first-run/routes.ts';
import { proof } from '../identity/me/proof-routes.ts';
import { me } from '../identity/me/routes.ts';
import { invitations } from '../identity/members/invitation-routes.ts';
import { members } from '../identity/members/routes.ts';
import { identities } from '../identity/oidc/identity-routes.ts';
import { singleSignOn } from '../identity/oidc/routes.ts';
import { resets } from '../identity/reset/routes.ts';
import { session } from '../identity/sign-in/routes.ts';
import { Id } from '../operations/contract.ts';
import type { HttpMethod, Names, NamesOf, PathWith, PortalCall } from '../operations/operation.ts';
import { accounts } from './accounts/routes.ts';
import { alertChannels } from './alerts/channel-routes.ts';
import { alerts } from './alerts/routes.ts';
import { audit } from './audit/routes.ts';
import { carrierTests } from './carrier-tests/routes.ts';
import { configuration } from './configuration/routes.ts';
import type { Portal } from './deps.ts';
import { doNotSend } from './do-not-send/routes.ts';
import { guard } from './guard/routes.ts';
import { guardRules } from './guard/rule-routes.ts';
import { handset } from './handset/routes.ts';
import { keys } from './keys/routes.ts';
import { numbers } from './numbers/routes.ts';
import { overview } from './overview/routes.ts';
import { carriers } from './routing/routes.ts';
import { settings } from './settings/routes.ts';
import { start } from './start/routes.ts';
import { verifications } from './verifications/routes.ts';
import { webhookMessages } from './webhooks/message-routes.ts';
import { webhooks } from './webhooks/routes.ts';

/** By their names in the API's description. */
const OPERATIONS = {
  ...accounts,
  ...alerts,
  ...alertChannels,
  ...audit,
  ...carriers,
  ...carrierTests,
  ...configuration,
  ...doNotSend,
  ...passkeys,
  ...secondFactor,
  ...firstRun,
  ...guard,
  ...guardRules,
  ...handset,
  ...keys,
  ...proof,
  ...me,
  ...invitations,
  ...members,
  ...numbers,
  ...identities,
  ...singleSignOn,
  ...overview,
  ...resets,
  ...settings,
  ...session,
  ...start,
  ...verifications,
  ...webhooks,
  ...webhookMessages,
};

type Operations = typeof OPERATIONS;
type Name = keyof Operations;

/** The path of an operation names all that it reads of it. */
type Route = { [N in Name]: readonly [HttpMethod, PathWith<NamesOf<Operations[N]>>, Access, N] }[Name];

export const PREFIX = '/portal/api/';

export const ROUTES = [
  ['GET', 'state', as('anybody'), 'readPortalState'],
  ['POST', 'setup', as('anybody'), 'setUpPortal'],
  ['POST', 'session', as('anybody'), 'signIn'],
  ['POST', 'session/second-factor', as('anybody'), 'proveSecondFactor'],
  ['POST', 'session/passkey/options', as('anybody'), 'beginPasskeySignIn'],
  ['POST', 'session/passkey', as('anybody'), 'signInWithPasskey'],
  ['DELETE', 'session', as('signed-in'), 'signOut'],
  ['GET', 'oidc/:name', as('anybody'), 'beginSingleSignOn'],
  ['GET', 'oidc/:name/callback', as('anybody'), 'finishSingleSignOn'],
  ['POST', 'reset', as('anybody'), 'resetSignIn'],
  ['POST', 'invitations/look', as('anybody'), 'lookAtInvitation'],
  ['POST', 'invitations/accept', as('anybody'), 'acceptInvitation'],
  ['GET', 'me', as('signed-in'), 'readMe'],
  ['POST', 'me/password', as('signed-in', 'proven at times'), 'changePassword'],
  ['GET', 'me/sessions', as('signed-in'), 'listSessions'],
  ['DELETE', 'me/sessions/:id', as('signed-in'), 'endSession'],
  ['DELETE', 'me/sessions', as('signed-in'), 'endAllSessions'],
  ['POST', 'me/proof', as('signed-in'), 'proveByPassword'],
  ['POST', 'me/proof/passkey', as('signed-in'), 'proveByPasskey'],
  ['POST', 'me/totp', as('signed-in', 'proven'), 'beginTotp'],
  ['POST', 'me/totp/confirm', as('signed-in', 'proven'), 'confirmTotp'],
  ['DELETE', 'me/totp', as('signed-in', 'proven'), 'removeTotp'],
  ['POST', 'me/recovery-codes', as('signed-in', 'proven'), 'renewRecoveryCodes'],
  ['POST', 'me/passkeys/options', as('signed-in', 'proven'), 'beginPasskey'],
  ['POST', 'me/passkeys', as('signed-in', 'proven'), 'addPasskey'],
  ['DELETE', 'me/passkeys/:id', as('signed-in', 'proven'), 'removePasskey'],
  ['DELETE', 'me/identities/:id', as('signed-in', 'proven'), 'unlinkIdentity'],
  ['POST', 'accounts', as('signed-in'), 'createAccount'],
  ['GET', 'accounts/:account/members', as('viewer'), 'listMembers'],
  ['GET', 'accounts/:account/members.csv', as('viewer'), 'exportMembers'],
  ['PATCH', 'accounts/:account/members/:id', as('owner', 'proven'), 'changeRole'],
  ['DELETE', 'accounts/:account/members/:id', as('owner', 'proven'), 'removeMember'],
  ['POST', 'accounts/:account/invitations', as('owner', 'proven'), 'invite'],
  ['DELETE', 'accounts/:account/invitations/:id', as('owner'), 'withdrawInvitation'],
  ['GET', 'accounts/:account/audit', as('developer'), 'readAuditLog'],
  ['GET', 'accounts/:account/audit.csv', as('developer'), 'exportAuditLogAsCsv'],
  ['GET', 'accounts/:account/audit.json', as('developer'), 'exportAuditLogAsJson'],
  ['GET', 'accounts/:account/keys', as('viewer'), 'listKeys'],
  ['GET', 'accounts/:account/keys.csv', as('viewer'), 'exportKeys'],
  ['POST', 'accounts/:account/keys/search', as('viewer'), 'searchKeys'],
  ['POST', 'accounts/:account/keys', as('developer', 'proven at times'), 'createKey'],
  ['PATCH', 'accounts/:account/keys/:id', as('developer', 'proven at times'), 'changeKey'],
  ['POST', 'accounts/:account/keys/:id/rotate', as('developer', 'proven at times'), 'rotateKey'],
  ['POST', 'accounts/:account/keys/:id/revoke', as('developer'), 'revokeKey'],
  ['GET', 'accounts/:account/settings', as('viewer'), 'readSettings'],
  ['PUT', 'accounts/:account/settings', as('owner', 'proven'), 'changeSettings'],
  ['GET', 'accounts/:account/start', as('viewer'), 'readStart'],
  ['PUT', 'accounts/:account/start/dismissal', as('developer'), 'dismissStart'],
  ['GET', 'accounts/:account/overview', as('viewer'), 'readOverview'],
  ['GET', 'accounts/:account/overview.csv', as('viewer'), 'exportOverview'],
  ['GET', 'accounts/:account/overview/total', as('viewer'), 'readOverviewTotal'],
  ['GET', 'accounts/:account/overview/parts', as('viewer'), 'readOverviewParts'],
  ['GET', 'accounts/:account/overview/earlier', as('viewer'), 'readEarlierOverview'],
  ['GET', 'accounts/:account/overview/changes', as('viewer'), 'readOverviewChanges'],
  ['GET', 'accounts/:account/overview/carriers', as('viewer'), 'readCarrierCourses'],
  ['GET', 'accounts/:account/carriers', as('viewer'), 'readCarrierHealth'],
  ['GET', 'accounts/:account/routing', as('viewer'), 'readRouting'],
  ['GET', 'accounts/:account/countries', as('viewer'), 'listCountries'],
  ['POST', 'accounts/:account/explain', as('viewer'), 'explainNumber'],
  ['GET', 'accounts/:account/carriers/tests', as('viewer'), 'listCarrierTests'],
  ['POST', 'accounts/:account/carriers/:carrier/test', as('owner', 'proven'), 'testCarrier'],
  ['GET', 'accounts/:account/configuration', as('owner'), 'readConfiguration'],
  ['GET', 'accounts/:account/configuration/forms', as('owner'), 'readConfigurationForms'],
  ['GET', 'accounts/:account/verifications', as('viewer'), 'listVerifications'],
  ['GET', 'accounts/:account/verifications/count', as('viewer'), 'countVerifications'],
  ['GET', 'accounts/:account/verifications.csv', as('viewer'), 'exportVerifications'],
  ['POST', 'accounts/:account/verifications/search', as('viewer'), 'searchVerifications'],
  ['GET', 'accounts/:account/verifications/:id', as('viewer'), 'readVerification'],
  ['POST', 'accounts/:account/verifications/:id/feedback', as('developer'), 'judgeVerification'],
  ['POST', 'accounts/:account/verifications/:id/reveal', as('owner', 'proven'), 'revealDestination'],
  ['POST', 'accounts/:account/numbers/export', as('owner', 'proven'), 'exportNumber'],
  ['POST', 'accounts/:account/numbers/erase', as('owner', 'proven'), 'eraseNumber'],
  ['GET', 'accounts/:account/handset/events', as('viewer'), 'watchHandset'],
  ['GET', 'accounts/:account/guard', as('viewer'), 'readGuard'],
  ['GET', 'accounts/:account/guard/refusals', as('viewer'), 'listRefusals'],
  ['GET', 'accounts/:account/guard/evidence', as('viewer'), 'readEvidence'],
  ['POST', 'accounts/:account/guard/backtest', as('developer'), 'backtestGuard'],
  ['GET', 'accounts/:account/guard/rules', as('viewer'), 'listGuardRules'],
  ['POST', 'accounts/:account/guard/rules', as('owner', 'proven'), 'addGuardRule'],
  ['DELETE', 'accounts/:account/guard/rules/:id', as('owner', 'proven'), 'liftGuardRule'],
  ['GET', 'accounts/:account/do-not-send/numbers', as('viewer'), 'listBlockedNumbers'],
  ['POST', 'accounts/:account/do-not-send/numbers', as('developer'), 'blockNumber'],
  ['POST', 'accounts/:account/do-not-send/numbers/remove', as('developer', 'proven'), 'unblockNumber'],
  ['DELETE', 'accounts/:account/do-not-send/numbers/:id', as('developer', 'proven'), 'unblockListedNumber'],
  ['GET', 'accounts/:account/do-not-send/ranges', as('viewer'), 'listBlockedRanges'],
  ['POST', 'accounts/:account/do-not-send/ranges', as('developer'), 'blockRange'],
  ['DELETE', 'accounts/:account/do-not-send/ranges/:prefix', as('developer', 'proven'), 'unblockRange'],
  ['GET', 'accounts/:account/alerts', as('viewer'), 'readAlerts'],
  ['GET', 'accounts/:account/alerts/history', as('viewer'), 'readAlertHistory'],
  ['GET', 'accounts/:account/alerts/count', as('viewer'), 'countAlerts'],
  ['PUT', 'accounts/:account/alerts/email', as('developer'), 'subscribeToAlerts'],
  ['DELETE', 'accounts/:account/alerts/email', as('developer'), 'unsubscribeFromAlerts'],
  ['POST', 'accounts/:account/alerts/email/test', as('developer'), 'testAlertMail'],
  ['PUT', 'accounts/:account/alerts/webhook', as('owner', 'proven'), 'placeAlertWebhook'],
  ['DELETE', 'accounts/:account/alerts/webhook', as('owner'), 'removeAlertWebhook'],
  ['POST', 'accounts/:account/alerts/webhook/test', as('owner'), 'testAlertWebhook'],
  ['GET', 'accounts/:account/webhooks', as('viewer'), 'listWebhooks'],
  ['POST', 'accounts/:account/webhooks', as('developer', 'proven at times'), 'addWebhook'],
  ['GET', 'accounts/:account/webhooks/:id', as('viewer'), 'readWebhook'],
  ['PATCH', 'accounts/:account/webhooks/:id', as('developer', 'proven at times'), 'changeWebhook'],
  ['DELETE', 'accounts/:account/webhooks/:id', as('developer'), 'removeWebhook'],
  ['POST', 'accounts/:account/webhooks/:id/reveal', as('developer', 'proven'), 'revealWebhookSecret'],
  ['POST', 'accounts/:account/webhooks/:id/rotate', as('developer', 'proven'), 'rotateWebhookSecret'],
  ['POST', 'accounts/:account/webhooks/:id/enable', as('developer', 'proven at times'), 'enableWebhook'],
  ['POST', 'accounts/:account/webhooks/:id/disable', as('developer'), 'disableWebhook'],
  ['POST', 'accounts/:account/webhooks/:id/test', as('developer'), 'testWebhook'],
  ['POST', 'accounts/:account/webhooks/:id/replay', as('developer'), 'replayWebhookMessages'],
  ['GET', 'accounts/:account/webhooks/:id/messages', as('viewer'), 'listWebhookMessages'],
  ['GET', 'accounts/:account/webhooks/:id/messages/:message', as('viewer'), 'readWebhookMessage'],
  [
    'POST',
    'accounts/:account/webhooks/:id/messages/:message/replay',
    as('developer'),
    'replayWebhookMessage',
  ],
] as const satisfies readonly Route[];

/** What every call takes and answers, by its method and path: for the pages, which need nothing else from the server. */
export type PortalApi = {
  [R in (typeof ROUTES)[number] as `${R[0]} ${R[1]}`]: PortalCall<R[1], Operations[R[3]]>;
};

export function registerRoutes(app: FastifyInstance, portal: Portal, hookFor: HookFor): void {
  for (const [method, path, access, operationId] of ROUTES) {
    OPERATIONS[operationId].register(app, portal, {
      method,
      url: `${PREFIX}${path}`,
      params: paramsOf(path),
      onRequest: hookFor(access),
      schema: { operationId, ...securityOf(access) },
      problems: problemsOf(access, method),
    });
  }
}

/** What a path names, such as `:account`; an operation may say more about it. */
const paramsOf = (path: string): Names =>
  Object.fromEntries(Array.from(path.matchAll(/(?<=:)\w+/g), ([name]) => [name, Id]));

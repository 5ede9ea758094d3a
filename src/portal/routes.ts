/** Every route of the portal's API: where it is, who may use it, and what it does. */
import type { FastifyInstance } from 'fastify';
import { type Access, as, type HookFor, problemsOf, securityOf } from './access.ts';
import { accounts } from './accounts/routes.ts';
import { audit } from './audit/routes.ts';
import type { Portal } from './deps.ts';
import { passkeys } from './factors/passkey-routes.ts';
import { secondFactor } from './factors/second-factor-routes.ts';
import { firstRun } from './first-run/routes.ts';
import { handset } from './handset/routes.ts';
import { keys } from './keys/routes.ts';
import { proof } from './me/proof-routes.ts';
import { me } from './me/routes.ts';
import { invitations } from './members/invitation-routes.ts';
import { members } from './members/routes.ts';
import { identities } from './oidc/identity-routes.ts';
import { singleSignOn } from './oidc/routes.ts';
import type { Method, Operation } from './operation.ts';
import { carrierHealth } from './overview/carrier-routes.ts';
import { overview } from './overview/routes.ts';
import { resets } from './reset/routes.ts';
import { settings } from './settings/routes.ts';
import { session } from './sign-in/routes.ts';
import { verifications } from './verifications/routes.ts';

type Route = readonly [method: Method, path: string, access: Access, operation: Operation];

export const PREFIX = '/portal/api/';

export const ROUTES: readonly Route[] = [
  ['GET', 'state', as('anybody'), firstRun.readPortalState],
  ['POST', 'setup', as('anybody'), firstRun.setUpPortal],
  ['POST', 'session', as('anybody'), session.signIn],
  ['POST', 'session/second-factor', as('anybody'), session.proveSecondFactor],
  ['POST', 'session/passkey/options', as('anybody'), session.beginPasskeySignIn],
  ['POST', 'session/passkey', as('anybody'), session.signInWithPasskey],
  ['DELETE', 'session', as('signed-in'), session.signOut],
  ['GET', 'oidc/:name', as('anybody'), singleSignOn.beginSingleSignOn],
  ['GET', 'oidc/:name/callback', as('anybody'), singleSignOn.finishSingleSignOn],
  ['POST', 'reset', as('anybody'), resets.resetSignIn],
  ['POST', 'invitations/look', as('anybody'), invitations.lookAtInvitation],
  ['POST', 'invitations/accept', as('anybody'), invitations.acceptInvitation],
  ['GET', 'me', as('signed-in'), me.readMe],
  ['POST', 'me/password', as('signed-in', 'proven at times'), me.changePassword],
  ['GET', 'me/sessions', as('signed-in'), me.listSessions],
  ['DELETE', 'me/sessions/:id', as('signed-in'), me.endSession],
  ['DELETE', 'me/sessions', as('signed-in'), me.endAllSessions],
  ['POST', 'me/proof', as('signed-in'), proof.proveByPassword],
  ['POST', 'me/proof/passkey', as('signed-in'), proof.proveByPasskey],
  ['POST', 'me/totp', as('signed-in', 'proven'), secondFactor.beginTotp],
  ['POST', 'me/totp/confirm', as('signed-in', 'proven'), secondFactor.confirmTotp],
  ['DELETE', 'me/totp', as('signed-in', 'proven'), secondFactor.removeTotp],
  ['POST', 'me/recovery-codes', as('signed-in', 'proven'), secondFactor.renewRecoveryCodes],
  ['POST', 'me/passkeys/options', as('signed-in', 'proven'), passkeys.beginPasskey],
  ['POST', 'me/passkeys', as('signed-in', 'proven'), passkeys.addPasskey],
  ['DELETE', 'me/passkeys/:id', as('signed-in', 'proven'), passkeys.removePasskey],
  ['DELETE', 'me/identities/:id', as('signed-in', 'proven'), identities.unlinkIdentity],
  ['POST', 'accounts', as('signed-in'), accounts.createAccount],
  ['GET', 'accounts/:account/members', as('viewer'), members.listMembers],
  ['PATCH', 'accounts/:account/members/:id', as('owner', 'proven'), members.changeRole],
  ['DELETE', 'accounts/:account/members/:id', as('owner', 'proven'), members.removeMember],
  ['POST', 'accounts/:account/invitations', as('owner', 'proven'), members.invite],
  ['DELETE', 'accounts/:account/invitations/:id', as('owner'), members.withdrawInvitation],
  ['GET', 'accounts/:account/audit', as('developer'), audit.readAuditLog],
  ['GET', 'accounts/:account/keys', as('viewer'), keys.listKeys],
  ['POST', 'accounts/:account/keys', as('developer', 'proven at times'), keys.createKey],
  ['PATCH', 'accounts/:account/keys/:id', as('developer', 'proven at times'), keys.changeKey],
  ['POST', 'accounts/:account/keys/:id/rotate', as('developer', 'proven at times'), keys.rotateKey],
  ['POST', 'accounts/:account/keys/:id/revoke', as('developer'), keys.revokeKey],
  ['GET', 'accounts/:account/settings', as('viewer'), settings.readSettings],
  ['PUT', 'accounts/:account/settings', as('owner', 'proven'), settings.changeSettings],
  ['GET', 'accounts/:account/overview', as('viewer'), overview.readOverview],
  ['GET', 'accounts/:account/overview.csv', as('viewer'), overview.exportOverview],
  ['GET', 'accounts/:account/carriers', as('viewer'), carrierHealth.readCarrierHealth],
  ['GET', 'accounts/:account/verifications', as('viewer'), verifications.listVerifications],
  ['POST', 'accounts/:account/verifications/search', as('viewer'), verifications.searchVerifications],
  ['GET', 'accounts/:account/verifications/:id', as('viewer'), verifications.readVerification],
  ['POST', 'accounts/:account/verifications/:id/reveal', as('owner', 'proven'), verifications.reveal],
  ['GET', 'accounts/:account/handset/events', as('viewer'), handset.watchHandset],
];

export function registerRoutes(app: FastifyInstance, portal: Portal, hookFor: HookFor): void {
  for (const [method, path, access, { register }] of ROUTES) {
    register(app, portal, {
      method,
      url: `${PREFIX}${path}`,
      onRequest: hookFor(access),
      security: securityOf(access),
      problems: problemsOf(access, method),
    });
  }
}

/** Every route of the portal's API: where it is, who may use it, and what it does. */
import type { FastifyInstance } from 'fastify';
import { type Access, as, type HookFor, problemsOf, securityOf } from './access.ts';
import type { Portal } from './deps.ts';
import type { Method, Operation } from './operation.ts';
import { accounts } from './routes/accounts.ts';
import { audit } from './routes/audit.ts';
import { carrierHealth } from './routes/carrier-health.ts';
import { firstRun } from './routes/first-run.ts';
import { handset } from './routes/handset.ts';
import { identities } from './routes/identities.ts';
import { invitations } from './routes/invitations.ts';
import { keys } from './routes/keys.ts';
import { me } from './routes/me.ts';
import { members } from './routes/members.ts';
import { singleSignOn } from './routes/oidc.ts';
import { overview } from './routes/overview.ts';
import { passkeys } from './routes/passkeys.ts';
import { proof } from './routes/proof.ts';
import { resets } from './routes/reset.ts';
import { secondFactor } from './routes/second-factor.ts';
import { session } from './routes/session.ts';
import { settings } from './routes/settings.ts';
import { verifications } from './routes/verifications.ts';

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
  [
    'POST',
    'accounts/:account/verifications/:id/reveal',
    as('owner', 'proven'),
    verifications.revealDestination,
  ],
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

/**
 * All that an account's audit log tells of, and how: what follows on the name of who did it. `{}` is where the subject stands, if the
 * sentence needs it. Logs may hold actions of earlier versions, too.
 */
const SENTENCES = {
  'account.created': 'created the account {}',
  'alerts.mail-ended': 'ended alerts by email',
  'alerts.mail-wanted': 'asked for alerts by email',
  'alerts.tried-out': 'tried out alerts by {}',
  'alerts.webhook-added': 'added a webhook for alerts at {}',
  'alerts.webhook-removed': 'removed the webhook for alerts',
  'carrier.tested': 'tested the carrier {}',
  'guard.allowed': 'allowed {} in the guard',
  'guard.denied': 'denied {} in the guard',
  'guard.lifted': 'lifted the rule about {}',
  'guard.paused': 'paused {} in the guard',
  'identity.linked': 'linked a single sign-on',
  'identity.unlinked': 'unlinked a single sign-on',
  'key.changed': 'changed the key {}',
  'key.created': 'created the key {}',
  'key.revoked': 'revoked the key {}',
  'key.rotated': 'rotated the key {}',
  'member.invitation-accepted': 'accepted an invitation',
  'member.invitation-withdrawn': 'withdrew the invitation of {}',
  'member.invited': 'invited {}',
  'member.joined': 'joined the account',
  'member.removed': 'removed {} from the account',
  'member.role-changed': 'changed the role of {}',
  'number.blocked': 'added {} to the do-not-send list',
  'number.erased': 'erased what was stored about {}',
  'number.exported': 'exported {}',
  'number.started': 'asked for messages again {}',
  'number.stopped': 'asked for no more messages {}',
  'number.unblocked': 'took {} off the do-not-send list',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'password.changed': 'changed the password',
  'password.refused': 'gave a wrong password for {}',
  'person.proven': 'proved the address {} by single sign-on for the first time',
  'person.reset': 'reset the sign-in of {}',
  'person.reset-begun': 'began to reset the sign-in of {}',
  'portal.set-up': 'set up the portal',
  'range.blocked': 'added the range {} to the do-not-send list',
  'range.unblocked': 'took the range {} off the do-not-send list',
  'recovery-codes.renewed': 'renewed the recovery codes',
  'second-factor.refused': 'gave a wrong second factor for {}',
  'session.began': 'signed in',
  'session.proven': 'confirmed who they are',
  'sessions.ended': 'signed out everywhere else',
  'settings.changed': 'changed the settings of {}',
  'totp.added': 'added an authenticator',
  'totp.removed': 'removed the authenticator',
  'verification.judged': 'said what the verification {} was',
  'verification.revealed': 'looked at the full number of {}',
  'webhook.added': 'added the webhook {}',
  'webhook.changed': 'changed the webhook {}',
  'webhook.disabled': 'disabled the webhook {}',
  'webhook.enabled': 'enabled the webhook {}',
  'webhook.removed': 'removed the webhook {}',
  'webhook.replayed': 'sent messages of the webhook {} again',
  'webhook.secret-revealed': 'looked at the secret of the webhook {}',
  'webhook.secret-rotated': 'rotated the secret of the webhook {}',
  'webhook.tested': 'tested the webhook {}',
} as const;
export type AuditAction = keyof typeof SENTENCES;

/** Refused sign-ins within so long are one entry: a flood writes few, and the hour of an alert begins where it should, nearly. */
export const REFUSALS_TOGETHER_MS = 300_000;

const isKnown = (action: string): action is AuditAction => Object.hasOwn(SENTENCES, action);

export const AUDIT_ACTIONS: readonly AuditAction[] = Object.keys(SENTENCES).filter(isKnown);

/** Such as `changed the key {}`. */
export const wordsOfAction = (action: string): string =>
  isKnown(action) ? SENTENCES[action] : `did ${action}: {}`;

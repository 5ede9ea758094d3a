/** The ten systems: the request that each makes, written from its documentation or source. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { HookSystem } from '../../src/core/hooks/system.ts';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is not right about a request. */
interface Odd {
  readonly secret?: string;
  readonly at?: Date;
}

export interface System {
  readonly name: HookSystem;
  /** What it signs with; undefined if it sends the API key. */
  readonly secret: string | undefined;
  /** A message that it wants sent, made at that time; `id` where it names its messages. */
  make(number: string, code: string, made?: Made): Message;
}

interface Made {
  readonly id: string;
  readonly at: Date;
}

interface Message {
  /** One try: what differs from try to try does. */
  send(odd?: Odd): Sent;
}

const json = { 'content-type': 'application/json' };
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const whsec = () => `whsec_${randomBytes(32).toString('base64')}`;

/** supabase/auth: internal/hooks/hookshttp/hookshttp.go, and SendSMSInput in internal/hooks/v0hooks/v0hooks.go. */
function supabase(): System {
  const secret = `v1,${whsec()}`;
  return {
    name: 'supabase',
    secret,
    make: (number, code) => {
      const phone = number.slice(1);
      const body = JSON.stringify({
        metadata: { uuid: randomUUID(), time: new Date(), name: 'send-sms', ip_address: '198.51.100.7' },
        user: { id: randomUUID(), aud: 'authenticated', role: 'authenticated', email: '', phone },
        sms: { otp: code, sms_type: 'sms', phone },
      });
      // Each try has an id and a time of its own, and a signature for each secret.
      const send = ({ secret: other = secret, at = new Date() }: Odd = {}) => {
        const id = randomUUID();
        const signatures = other.split('|').map((each) => new Webhook(each.slice(3)).sign(id, at, body));
        return {
          headers: {
            ...json,
            'webhook-id': id,
            'webhook-timestamp': String(seconds(at)),
            'webhook-signature': signatures.join(', '),
          },
          body,
        };
      };
      return { send };
    },
  };
}

/** zitadel/zitadel: pkg/actions/signing.go, internal/notification/channels/webhook/channel.go; the body from its documentation. */
function zitadel(): System {
  const secret = randomBytes(18).toString('hex');
  return {
    name: 'zitadel',
    secret,
    make: (number, code) => {
      const body = JSON.stringify({
        contextInfo: {
          eventType: 'user.human.phone.code.added',
          provider: { id: '285181292935381355', description: 'Countersign' },
          recipientPhoneNumber: number,
        },
        templateData: { text: `Use this code: ${code}`, buttonText: 'Verify phone' },
        args: { code, displayName: 'Ada', lastPhone: number, loginNames: ['ada'] },
      });
      const send = ({ secret: other = secret, at = new Date() }: Odd = {}) => {
        const signature = hmac(other, `${seconds(at)}.${body}`);
        return { headers: { ...json, 'ZITADEL-Signature': `t=${seconds(at)},v1=${signature}` }, body };
      };
      return { send };
    },
  };
}

/** authgear/authgear-server: pkg/lib/infra/sms/custom/{client,model}.go; the signature from docs/specs (hooks). */
function authgear(): System {
  const secret = randomBytes(24).toString('base64url');
  return {
    name: 'authgear',
    secret,
    make: (number, code) => {
      const body = JSON.stringify({
        to: number,
        body: `${code} is your code`,
        app_id: 'accounts',
        template_name: 'verification_sms.txt',
        language_tag: 'en',
        template_variables: { app_name: 'Accounts', code },
      });
      const send = ({ secret: other = secret }: Odd = {}) => ({
        headers: { ...json, 'x-authgear-body-signature': hmac(other, body) },
        body,
      });
      return { send };
    },
  };
}

/** Clerk: SMSMessageJSON of @clerk/backend; signed by Svix, which signs as Standard Webhooks do, under its own names. */
function clerk(): System {
  const secret = whsec();
  return {
    name: 'clerk',
    secret,
    make: (number, code, { id, at: madeAt } = { id: `msg_${randomUUID()}`, at: new Date() }) => {
      const body = JSON.stringify({
        data: {
          object: 'sms_message',
          id: `sms_${randomUUID()}`,
          from_phone_number: '+12025550100',
          to_phone_number: number,
          phone_number_id: 'idn_1',
          slug: 'verification_code',
          message: `${code} is your verification code for Accounts.`,
          status: 'queued',
          data: { otp_code: code },
          delivered_by_clerk: false,
        },
        object: 'event',
        type: 'sms.created',
        timestamp: madeAt.getTime(),
        instance_id: 'ins_1',
      });
      const send = ({ secret: other = secret, at = new Date() }: Odd = {}) => ({
        headers: {
          ...json,
          'svix-id': id,
          'svix-timestamp': String(seconds(at)),
          'svix-signature': new Webhook(other).sign(id, at, body),
        },
        body,
      });
      return { send };
    },
  };
}

type Authorize = (key: string) => string;
const bearer: Authorize = (key) => `Bearer ${key}`;
const basic: Authorize = (key) => `Basic ${Buffer.from(`countersign:${key}`).toString('base64')}`;

/** A system that sends the API key: `secret` of an odd request is another one. */
function keyed(
  name: HookSystem,
  key: string,
  authorize: Authorize,
  write: (number: string, code: string) => unknown,
): System {
  return {
    name,
    secret: undefined,
    make: (number, code) => {
      const body = JSON.stringify(write(number, code));
      const send = ({ secret = key }: Odd = {}) => ({
        headers: { ...json, authorization: authorize(secret) },
        body,
      });
      return { send };
    },
  };
}

/** casdoor/casdoor: object/sms_custom_http.go; a form is what it sends unless told otherwise. */
function casdoor(key: string): System {
  return {
    name: 'casdoor',
    secret: undefined,
    make: (number, code) => {
      const body = new URLSearchParams({ phoneNumber: number, content: `Your code is ${code}.` }).toString();
      const send = ({ secret = key }: Odd = {}) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: bearer(secret) },
        body,
      });
      return { send };
    },
  };
}

export function createSystems(key: string): readonly System[] {
  return [
    supabase(),
    zitadel(),
    authgear(),
    clerk(),
    // logto-io/logto: packages/connectors/connector-http-sms, and what packages/core/src/libraries/passcode.ts hands it.
    keyed('logto', key, bearer, (number, code) => ({
      to: number.slice(1),
      type: 'SignIn',
      payload: { code, locale: 'en' },
      ip: '198.51.100.7',
    })),
    // FusionAuth/fusionauth-site: generic-messenger.mdx, json/messengers/generic-message-request.json.
    keyed('fusionauth', key, basic, (number, code) => ({
      code,
      phoneNumber: number,
      message: `Your verification code is ${code}`,
      textMessage: `Two Factor Code: ${code}`,
      type: 'SMS',
      userId: randomUUID(),
    })),
    casdoor(key),
    // goauthentik/authentik: authentik/stages/authenticator_sms/models.py, send_generic.
    keyed('authentik', key, bearer, (number, code) => ({
      From: 'authentik',
      To: number,
      Body: code,
      Message: `Use this code to authenticate in authentik: ${code}`,
    })),
    // ory/kratos: courier/http_channel.go, through the Jsonnet of docs/recipes/kratos.md.
    keyed('kratos', key, basic, (number, code) => ({ to: number, code })),
    // netzbegruenung/keycloak-mfa-plugins: ApiSmsService.java with the template of docs/recipes/keycloak.md.
    keyed('keycloak', key, basic, (number, code) => ({
      phone: number,
      message: `Your SMS code is ${code} and is valid for 5 minutes.`,
    })),
  ];
}

/** The configuration of their hooks: each has the name of its system. */
export function hooksOf(systems: readonly System[], key: string): Record<string, object> {
  return Object.fromEntries(
    systems.map(({ name, secret }) => [name, { system: name, key, ...(secret !== undefined && { secret }) }]),
  );
}

import type { Me } from '#contract/me.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { Authenticator } from './authenticator.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { SessionList } from './session-list.tsx';

export default function MePage({ me }: { readonly me: Me }) {
  return (
    <AlonePage
      wide
      title="Your sign-in"
      about={`${me.name}, ${me.email}`}
      above={{ name: 'Your account', to: '/' }}
    >
      <Passkeys passkeys={me.passkeys} />
      <Password has={me.has_password} />
      <Authenticator on={me.totp} recoveryCodesLeft={me.recovery_codes_left} />
      {me.identities.length > 0 && <Identities identities={me.identities} />}
      <SessionList />
    </AlonePage>
  );
}

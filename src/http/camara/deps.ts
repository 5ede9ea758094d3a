import type { Logger } from 'pino';
import type { VerifierPort } from '../../core/verification/request.ts';
import type { Authenticate } from '../admission/authentication.ts';
import type { NotReady } from '../admission/overload.ts';
import type { TokenDeps } from './access-token.ts';

export interface CamaraDeps extends TokenDeps {
  readonly verifier: () => Pick<VerifierPort, 'request' | 'confirm' | 'findNamedText'>;
  readonly authenticate: Authenticate;
  readonly findNotReady: () => NotReady | undefined;
  readonly log: Logger;
}

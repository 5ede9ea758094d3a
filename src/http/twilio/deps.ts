import type { Logger } from 'pino';
import type { Clock } from '../../core/seams/clock.ts';
import type { NumberVerifierPort } from '../../core/verification/by-number/by-number.ts';
import type { GiveFeedback } from '../../core/verification/feedback.ts';
import type { VerifierPort } from '../../core/verification/request.ts';
import type { Authenticate } from '../admission/authentication.ts';
import type { NotReady } from '../admission/overload.ts';

export interface TwilioDeps {
  readonly clock: Pick<Clock, 'wall'>;
  readonly verifier: () => Pick<VerifierPort, 'request' | 'channels'>;
  readonly numbers: NumberVerifierPort;
  readonly giveFeedback: GiveFeedback;
  readonly authenticate: Authenticate;
  readonly findNotReady: () => NotReady | undefined;
  readonly log: Logger;
}

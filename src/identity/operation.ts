import { operationsWith } from '../operations/operation.ts';
import type { IdentityDeps } from './deps.ts';

export const identityOperation = operationsWith<IdentityDeps>();

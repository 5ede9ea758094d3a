import { operationsWith } from '../operations/operation.ts';
import type { Portal } from './deps.ts';

export const operation = operationsWith<Portal>();

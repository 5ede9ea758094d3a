export { type CallOptions, Countersign, type RepeatableOptions } from './client.ts';
export {
  AuthenticationError,
  ConnectionError,
  CountersignError,
  type FieldProblem,
  InvalidRequestError,
  ServiceError,
} from './errors.ts';
export type {
  Attempt,
  BudgetExhausted,
  Confirmed,
  ConfirmResult,
  FeedbackResult,
  Found,
  GetResult,
  Guarded,
  Limited,
  Sent,
  VerifyResult,
} from './results.ts';
export type { CountersignOptions, Fetch } from './settings.ts';
export {
  unwrapWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhook.ts';
export type { Channel, Signals, Verdict, VerifyOptions, VerifyRequest } from './wire.ts';

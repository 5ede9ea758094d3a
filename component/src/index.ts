import { CountersignVerify } from './element.ts';
import type { ConfirmedDetail, ErrorDetail, SentDetail } from './events.ts';

export type { Reason } from './ask.ts';
export type { Channel } from './channel.ts';
export { type ConfirmedDetail, CountersignVerify, type ErrorDetail, type SentDetail };

/** Defines `<countersign-verify>`, once. */
export function define(): void {
  if (customElements.get('countersign-verify') === undefined)
    customElements.define('countersign-verify', CountersignVerify);
}

declare global {
  interface HTMLElementTagNameMap {
    'countersign-verify': CountersignVerify;
  }
  interface GlobalEventHandlersEventMap {
    'countersign-sent': CustomEvent<SentDetail>;
    'countersign-confirmed': CustomEvent<ConfirmedDetail>;
    'countersign-error': CustomEvent<ErrorDetail>;
  }
}

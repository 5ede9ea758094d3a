/** What pages load: importing it defines the element. On a server, which has no elements, it does nothing. */
import { define } from './index.ts';

if ('customElements' in globalThis) define();

export { CountersignVerify, define } from './index.ts';

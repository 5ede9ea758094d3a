/** Importing this defines the element; on a server, which has no elements, it does nothing. */
if ('customElements' in globalThis) import('./index.ts').then(({ define }) => define());

export {};

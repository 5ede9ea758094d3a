/**
 * Node's module `http`. A normal import would touch all its exports, and for WebSocket Node would load all of undici, which
 * nothing here uses: 7 MB and 20 ms of every start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');

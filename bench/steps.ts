/** The steps of the load: verifications, confirmations, and whole flows. */
import type { Connection } from './connection.ts';
import type { Step } from './load.ts';
import type { Arrival, CarrierName, Phones } from './peers/phones.ts';

/** A verification whose code has arrived. */
export interface Ticket {
  readonly id: string;
  readonly code: string;
}

const OK = 200;
const ID = /"id":"([^"]+)"/;

/** Requests a verification for a new number. `issued` is called for each that was issued. */
export function verifying(
  phones: Pick<Phones, 'draw'>,
  carrier: CarrierName,
  issued?: (id: string, destination: string) => void,
): Step {
  return async (connection) => {
    const destination = phones.draw(carrier);
    const { status, body } = await requestCode(connection, destination);
    if (status === OK) issued?.(idOf(body), destination);
    return status;
  };
}

/** Requests, and continues when the code has arrived. Leaves the tickets in `tickets`. */
export function collecting(phones: Phones, carrier: CarrierName, tickets: Ticket[]): Step {
  return async (connection) => {
    const destination = phones.draw(carrier);
    const { status, body } = await requestCode(connection, destination);
    if (status === OK) tickets.push({ id: idOf(body), code: (await phones.arrival(destination)).code });
    return status;
  };
}

/** Confirms one ticket after another until none is left. */
export function confirming(tickets: Ticket[]): Step {
  return async (connection) => {
    const ticket = tickets.pop();
    if (ticket === undefined) return undefined;
    return confirm(connection, ticket.id, ticket);
  };
}

/** Requests, waits for the code, confirms it. */
export function flowing(phones: Phones, carrier: CarrierName): Step {
  return async (connection) => {
    const destination = phones.draw(carrier);
    const { status, body } = await requestCode(connection, destination);
    if (status !== OK) return status;
    return confirm(connection, idOf(body), await phones.arrival(destination));
  };
}

function requestCode(connection: Connection, destination: string) {
  return connection.post('/verify', `{"destination":"${destination}","channel":"sms"}`);
}

async function confirm(connection: Connection, id: string, { code }: Pick<Arrival, 'code'>): Promise<number> {
  const { status } = await connection.post('/confirm', `{"id":"${id}","code":"${code}"}`);
  return status;
}

function idOf(body: string): string {
  return ID.exec(body)?.[1] ?? '';
}

/** What an HTTP status by itself tells of a refusal, if no error is named that we know. */

/** Credentials, credit, permission, path, method, form: no number and no text changes them. */
const OURS: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 406, 407, 410, 415]);
/** Some gateways say so of one destination, too. */
const OF_ONE: ReadonlySet<number> = new Set([403, 404, 410]);

/** Whether the operator has to put it right: the next message would be refused in the same way. */
export function isOurs(status: number): boolean {
  return isRedirect(status) || OURS.has(status);
}

export function mayBeOfOneNumber(status: number): boolean {
  return OF_ONE.has(status);
}

/** Redirects are never followed: the new address would get our credentials and the code. */
export function httpStatusName(status: number): string {
  return isRedirect(status) ? `HTTP ${status}, a redirect; set url to the new address` : `HTTP ${status}`;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

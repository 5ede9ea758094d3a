/** How the service is registered with the providers of these tests. */
export const CLIENT_ID = 'countersign';
export const CLIENT_SECRET = 'between-the-two-of-us';

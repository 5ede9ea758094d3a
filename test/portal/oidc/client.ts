/** What the service is to the providers of these tests. */
export const CLIENT_ID = 'countersign';
export const CLIENT_SECRET = 'between-the-two-of-us';

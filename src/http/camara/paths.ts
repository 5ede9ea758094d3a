/** Where the door is, and below it the endpoint for access tokens. */
export const CAMARA_PATH = '/camara';
export const TOKEN_PATH = '/oauth2/token';

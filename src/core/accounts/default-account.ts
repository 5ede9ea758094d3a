/** The account of the first owner and the first key, and of commands that name none. No owner can give its name to another account. */
export const DEFAULT_ACCOUNT = 'default';

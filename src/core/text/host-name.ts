const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Whether it is the name of a host (RFC 1123), in lower case and without a dot at its end. */
export const isHostName = (text: string): boolean => HOST_NAME.test(text);

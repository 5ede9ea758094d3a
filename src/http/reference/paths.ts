/** Where the documentation stands. */
export const REFERENCE_PATH = '/docs';
export const GUIDES_PATH = '/docs/guides';
export const LLMS_PATH = '/docs/llms.txt';

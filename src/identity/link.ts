/** The token is in the fragment, which browsers do not send and logs do not see. */
export function portalLink(origin: string, page: 'setup' | 'invitation' | 'reset', token: string): string {
  return `${origin}/portal/${page}#${token}`;
}

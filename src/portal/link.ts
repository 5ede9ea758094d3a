/** Links that carry a token do so in the fragment, which no browser sends and no log sees. */
export function portalLink(origin: string, page: 'setup' | 'invitation' | 'reset', token: string): string {
  return `${origin}/portal/${page}#${token}`;
}

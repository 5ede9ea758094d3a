import type { CreatedKey, Key } from '#contract/keys.ts';
import type { RowAction } from '../../parts/row-menu.tsx';

/** The dialog that the page shows, and for which key. */
export type KeyTask =
  | { readonly kind: 'none' | 'create' }
  | { readonly kind: 'show' | 'edit' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly kind: 'created'; readonly created: CreatedKey };

/** What somebody may do with a key, as it is now. */
export function actionsOn(
  key: Key,
  may: { readonly developer: boolean; readonly owner: boolean },
  onTask: (task: KeyTask) => void,
): RowAction[] {
  const { status, custom_codes } = key;
  if (!may.developer || status === 'expired' || status === 'revoked') return [];
  const doing = (kind: 'edit' | 'rotate' | 'revoke', name: string): RowAction => ({
    name,
    act: () => onTask({ kind, key }),
  });
  if (status === 'overlap') return [doing('revoke', 'End the overlap')];
  return [
    doing('edit', 'Edit'),
    // Whoever rotates a key gets its successor's secret.
    ...(may.owner || !custom_codes ? [doing('rotate', 'Rotate')] : []),
    doing('revoke', 'Revoke'),
  ];
}

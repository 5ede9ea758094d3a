import type { Key } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { When } from '../../parts/when.tsx';

/** For a live key people type its name: revoking the wrong one stops real sign-ins. */
export function RevokeDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const revoke = useAct('POST accounts/:account/keys/:id/revoke');
  const inOverlap = apiKey.status === 'overlap';
  return (
    <Confirm
      title={inOverlap ? `End the overlap of “${apiKey.name}”` : `Revoke “${apiKey.name}”`}
      label={inOverlap ? 'End the overlap' : 'Revoke the key'}
      {...(apiKey.test || inOverlap ? {} : { typed: apiKey.name })}
      act={() => revoke.mutateAsync({ params: { id: apiKey.id } })}
      done={`The key ${apiKey.prefix}… no longer works`}
      onClose={onClose}
    >
      <p>
        Within a second, every request with {apiKey.prefix}… will be refused. This cannot be undone.
        {inOverlap && ' The key that replaced it keeps working.'}
      </p>
      <p>
        Last used: <When at={apiKey.last_used_at} never="never" />
        {apiKey.last_used_from === null ? '' : `, from ${apiKey.last_used_from}`}.
      </p>
    </Confirm>
  );
}

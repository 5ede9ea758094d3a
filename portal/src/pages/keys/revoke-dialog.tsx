import type { Key } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { useToast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';

/** A live key has its name typed: a slip here stops somebody's sign-ins. */
export function RevokeDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const revoke = useAct('POST accounts/:account/keys/:id/revoke');
  const toast = useToast();
  const inOverlap = apiKey.status === 'overlap';
  return (
    <Confirm
      title={inOverlap ? `End the overlap of “${apiKey.name}”` : `Revoke “${apiKey.name}”`}
      label={inOverlap ? 'End the overlap' : 'Revoke the key'}
      {...(apiKey.test || inOverlap ? {} : { typed: apiKey.name })}
      act={async () => {
        await revoke.mutateAsync({ params: { id: apiKey.id } });
        toast(`The key ${apiKey.prefix}… is refused from now on`);
      }}
      onClose={onClose}
    >
      <p>
        Within a second, every request with {apiKey.prefix}… is refused. This cannot be undone
        {inOverlap ? '; the key that took its place stays good.' : '.'}
      </p>
      <p>
        Last used: <When at={apiKey.last_used_at} never="never" />
        {apiKey.last_used_from === null ? '' : `, from ${apiKey.last_used_from}`}.
      </p>
    </Confirm>
  );
}

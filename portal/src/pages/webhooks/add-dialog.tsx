import { useState } from 'react';
import type { WebhookSecret } from '#contract/webhooks.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { EndpointFields, endpointOf } from './endpoint-fields.tsx';
import { ShowSecret } from './show-secret.tsx';

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useAct('POST accounts/:account/webhooks');
  const [added, setAdded] = useState<WebhookSecret>();
  if (added !== undefined) return <ShowSecret {...added} onClose={onClose} />;
  return (
    <FormDialog
      title="Add an endpoint"
      onClose={onClose}
      label="Add the endpoint"
      submit={async (values) => setAdded(await add.mutateAsync({ body: endpointOf(values) }))}
    >
      <EndpointFields />
    </FormDialog>
  );
}

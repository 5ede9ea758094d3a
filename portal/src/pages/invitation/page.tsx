import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { Answer } from '../../parts/answer.tsx';
import { takeToken } from '../../parts/fragment.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { AcceptForm } from './accept-form.tsx';

export default function InvitationPage() {
  const [token] = useState(takeToken);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST invitations/look', undefined, { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AlonePage title="Invitation">
      {token === '' ? (
        <Empty title="The link is incomplete">
          Copy the whole link from your invitation, or ask for a new one. A link works once, within three
          days.
        </Empty>
      ) : (
        <Answer of={invitation} lines={3}>
          {(found) => <AcceptForm token={token} invitation={found} />}
        </Answer>
      )}
    </AlonePage>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Configuration } from '#contract/configuration.ts';
import type { RoutingView } from '#contract/routing.ts';
import { useAsk } from '../../../api/hooks.ts';
import { useMay } from '../../../frame/account.ts';
import { lazyPage } from '../../../frame/broken/lazy-page.tsx';
import { Answer } from '../../../parts/answer.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { Origins } from './origins.tsx';

const CarrierForm = lazyPage<Parameters<typeof import('./carrier-form.tsx').CarrierForm>[0]>(() =>
  import('./carrier-form.tsx').then(({ CarrierForm }) => ({ default: CarrierForm })),
);

const EVERY_MS = 10_000;

interface ComposeProps {
  readonly view: RoutingView;
  /** Opens "Send a test" for a carrier. */
  readonly onTest: (carrier: string) => void;
}

/** For whoever runs the installation: how to add to its configuration, and where it was set. */
export function ComposeSection(props: ComposeProps) {
  const isOwner = useMay('owner');
  const configuration = useAsk(
    'GET accounts/:account/configuration',
    {},
    { enabled: isOwner, every: EVERY_MS },
  );
  if (!isOwner || configuration.data?.operator !== true) return null;
  return (
    <>
      <Compose {...props} configuration={configuration.data} />
      <Origins configuration={configuration.data} />
    </>
  );
}

function Compose(props: ComposeProps & { readonly configuration: Configuration }) {
  const [isOpen, setOpen] = useState(false);
  const forms = useAsk('GET accounts/:account/configuration/forms', {}, { enabled: isOpen });
  return (
    <Section
      title="Add a carrier or a route"
      about="This page writes the lines and sends nothing of them; you put them into the configuration file, which stays the one source."
    >
      {isOpen ? (
        <Answer of={forms}>{(data) => <CarrierForm forms={data} {...props} />}</Answer>
      ) : (
        <Button onClick={() => setOpen(true)}>Add a carrier or a route</Button>
      )}
    </Section>
  );
}

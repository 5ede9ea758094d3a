import { Table } from '@mantine/core';
import type { Configuration } from '#contract/configuration.ts';
import type { RoutingView } from '#contract/routing.ts';
import { useAsk } from '../../../api/hooks.ts';
import { optionWords } from '../../../format/identifier.ts';
import { useMay } from '../../../frame/account.ts';
import { lazyPage } from '../../../frame/broken/lazy-page.tsx';
import { Answer } from '../../../parts/answer.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { ScrollingTable } from '../../../parts/page/scroller.tsx';
import css from './compose.module.css';
import { OptionLabel } from './option-label.tsx';

const CarrierForm = lazyPage<Parameters<typeof import('./carrier-form.tsx').CarrierForm>[0]>(() =>
  import('./carrier-form.tsx').then(({ CarrierForm }) => ({ default: CarrierForm })),
);

const EVERY_MS = 10_000;

interface ComposeProps {
  readonly view: RoutingView;
  /** Opens "Send a test" for a carrier. */
  readonly onTest: (carrier: string) => void;
  readonly configuration: Configuration;
}

/** For whoever runs the installation; undefined for others. */
export function useConfiguration(): Configuration | undefined {
  const isOwner = useMay('owner');
  const { data } = useAsk('GET accounts/:account/configuration', {}, { enabled: isOwner, every: EVERY_MS });
  return data?.operator === true ? data : undefined;
}

/** How to add to the configuration, and where it was set. */
export function ConfigurationView({ isAdding, ...props }: ComposeProps & { readonly isAdding: boolean }) {
  return (
    <>
      {isAdding && <Compose {...props} />}
      <Origins configuration={props.configuration} />
    </>
  );
}

function Compose(props: ComposeProps) {
  const forms = useAsk('GET accounts/:account/configuration/forms', {});
  return (
    <Section
      title="Add a carrier or a route"
      about="This page writes the lines and sends nothing of them; you put them into the configuration file, which stays the one source."
    >
      <Answer of={forms}>{(data) => <CarrierForm forms={data} {...props} />}</Answer>
    </Section>
  );
}

/** Which options of carriers and routes are set, and where; what is not listed has its default. */
function Origins({ configuration: { options, file } }: { readonly configuration: Configuration }) {
  return (
    <Section
      title="Where the options come from"
      about={`Only names: no value is shown. What is not listed has its default. The file is ${file?.path}${file?.is_there ? '' : ', which does not exist'}.`}
    >
      {options.length === 0 ? (
        <Empty title="Nothing is set">Neither the file nor a variable sets a carrier or a route.</Empty>
      ) : (
        <details className={css.more}>
          <summary>{options.length === 1 ? '1 option is set' : `${options.length} options are set`}</summary>
          <ScrollingTable label="Options" columns={['Option', 'Set by', 'Where']} stacked>
            {options.map(({ key, by, place }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">
                  <OptionLabel name={key} words={optionWords(key)} />
                </Table.Th>
                <Table.Td data-label="Set by">{by === 'file' ? 'File' : 'Variable'}</Table.Td>
                <Table.Td data-label="Where">{place}</Table.Td>
              </Table.Tr>
            ))}
          </ScrollingTable>
        </details>
      )}
    </Section>
  );
}

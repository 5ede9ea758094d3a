import { Table } from '@mantine/core';
import type { Configuration } from '#contract/configuration.ts';
import { Empty } from '../../../parts/page/empty.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { ScrollingTable } from '../../../parts/page/scroller.tsx';
import css from './compose.module.css';

/** Which options of carriers and routes are set, and where; what is not listed has its default. */
export function Origins({ configuration: { options, file } }: { readonly configuration: Configuration }) {
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
                <Table.Th scope="row">{key}</Table.Th>
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

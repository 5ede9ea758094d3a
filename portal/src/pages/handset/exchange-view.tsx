import { Badge, Code, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/hooks.ts';
import { formatLatency } from '../../format/number.ts';
import { CERTIFICATE, LANGUAGES, type Language, snippet } from '../../format/snippets.ts';
import { Answer } from '../../parts/answer.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import type { Exchange } from './exchange.ts';
import css from './exchange-view.module.css';

/** A request with its answer, and as code. */
export function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const { request, status, statusText, headers, body, ms } = exchange;
  return (
    <div className={css.exchange}>
      <p role="status" className={css.line}>
        <Badge variant="light" color={status < 300 ? 'green' : 'red'} size="lg">
          {status} {statusText}
        </Badge>
        <Text size="sm" component="span">
          in {formatLatency(ms)}
        </Text>
      </p>
      <Block label="Answer" text={body} />
      <details>
        <summary>Answer headers</summary>
        <Block label="Headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      </details>
      <details>
        <summary>Request</summary>
        <Block
          label="Request"
          text={`POST ${request.path}\nAuthorization: Bearer …\n\n${JSON.stringify(request.body, null, 2)}`}
        />
      </details>
      <details>
        <summary>Code for your own server</summary>
        <Snippet request={request} />
      </details>
    </div>
  );
}

function Snippet({ request }: Pick<Exchange, 'request'>) {
  const [language, setLanguage] = useState<Language>('curl');
  const state = useAsk('GET state', {});
  return (
    <Answer of={state} lines={4}>
      {({ own_certificate }) => {
        const code = snippet(language, {
          ...request,
          origin: window.location.origin,
          ownCertificate: own_certificate,
        });
        return (
          <>
            <div className={css.line}>
              <NativeSelect
                size="xs"
                aria-label="Language"
                data={[...LANGUAGES]}
                value={language}
                onChange={(event) =>
                  setLanguage(LANGUAGES.find((name) => name === event.currentTarget.value) ?? 'curl')
                }
              />
              <CopyButton text={code} />
            </div>
            <Block label={language} text={code} />
            {own_certificate && (
              <Text size="sm" c="dimmed">
                The certificate of this service is self-signed. Copy {CERTIFICATE} from its data folder to the
                place where you run this code.
              </Text>
            )}
          </>
        );
      }}
    </Answer>
  );
}

function Block({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // What scrolls must take the focus (WCAG 2.1.1).
    <Code block role="group" aria-label={label} tabIndex={0} className={css.block}>
      {text}
    </Code>
  );
}

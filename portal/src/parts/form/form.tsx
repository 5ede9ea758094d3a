import { Alert, Button, Group, Stack } from '@mantine/core';
import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { type Problem, problemOf, sentencesOf } from '../../api/problem.ts';
import css from './form.module.css';

const Errors = createContext<ReadonlyMap<string, string>>(new Map());

/** What the server says about one field; undefined if nothing is wrong. */
export const useFieldError = (field: string): string | undefined => use(Errors).get(field);

export interface FormProps {
  readonly submit: (values: FormData) => Promise<unknown>;
  readonly label: string;
  /** Beside the button that submits. */
  readonly beside?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** One of several on its page: its button is not the first thing to see. */
  readonly plain?: boolean;
  /** Its buttons stay in sight while a long form scrolls. */
  readonly pinned?: boolean;
  readonly children?: ReactNode;
}

/** A form whose fields show what the server says about each; the first faulty one gets the focus. */
export function Form({
  submit,
  label,
  beside,
  danger = false,
  disabled = false,
  plain = false,
  pinned = false,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      await submit(values);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} onSubmit={onSubmit}>
      <Errors value={problem?.errors ?? new Map()}>
        <Stack gap="md">
          {children}
          {problem !== undefined && <Summary form={form} problem={problem} />}
          <Group gap="xs" className={pinned ? css.pinned : undefined}>
            <Button
              type="submit"
              variant={plain ? 'default' : 'filled'}
              loading={busy}
              disabled={disabled}
              {...(danger ? { color: 'red' } : {})}
            >
              {label}
            </Button>
            {beside}
          </Group>
        </Stack>
      </Errors>
    </form>
  );
}

/** Fields on the form show their own errors; this shows the rest. */
function Summary({ form, problem }: { form: React.RefObject<HTMLFormElement | null>; problem: Problem }) {
  const isShown = (field: string) => Boolean(form.current?.elements.namedItem(field));
  return (
    <Alert color="red" title={problem.title} role="alert">
      {problem.message}
      {sentencesOf(problem, isShown).map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    </Alert>
  );
}

/** A value of a form as text. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}

/** As `textOf`, with null for an empty field. */
export const optionalOf = (values: FormData, name: string): string | null =>
  textOf(values, name).trim() || null;

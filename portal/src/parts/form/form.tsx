import { Alert, Button, Group, Stack } from '@mantine/core';
import {
  type ChangeEvent,
  createContext,
  type FormEvent,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Problem, problemOf, problemOfFields, sentencesOf } from '../../api/problem.ts';
import { Attention, attentionWords } from './attention.tsx';
import { useSource } from './begun.tsx';
import { fieldsAt, findFields, goTo, hasField } from './controls.ts';
import { type Faults, NO_FAULTS, placeFaults, withoutFields } from './faults.ts';
import css from './form.module.css';
import { findUnfit } from './unfit.ts';
import { useChanges } from './use-changes.ts';

interface Refused {
  readonly faults: Faults;
  readonly correct: (edit: (faults: Faults) => Faults) => void;
}

const Refused = createContext<Refused>({ faults: NO_FAULTS, correct: () => {} });

/** What the server says about one field; undefined if nothing is wrong. */
export const useFieldError = (field: string): string | undefined => use(Refused).faults.get(field)?.detail;

/** What is wrong with the form's fields, for those that correct it without a change of a control. */
export const useFaults = (): Refused => use(Refused);

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
  /** Without it, something is only asked or confirmed: whoever leaves it loses nothing. */
  readonly saves?: boolean;
  readonly children?: ReactNode;
}

/** Why a form was not taken. What its fields show goes as they are corrected, the rest when it is sent again. */
interface Refusal {
  readonly problem: Problem;
  /** What no field shows, a sentence each. */
  readonly rest: readonly string[];
  readonly said: string;
  /** The name of the field that gets the focus. */
  readonly first: string | undefined;
}

/**
 * A form whose fields show what is wrong with each: what their attributes ask for, and then what the server says. The first faulty one gets
 * the focus, and a line beside the button names them all. Whoever leaves what they changed in it is asked.
 */
export function Form({
  submit,
  label,
  beside,
  danger = false,
  disabled = false,
  plain = false,
  pinned = false,
  saves = true,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const changes = useChanges(form, saves);
  const source = useSource();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [faults, correct] = useState(NO_FAULTS);
  useEffect(() => {
    if (refusal?.first !== undefined && form.current !== null) goTo(form.current, refusal.first);
  }, [refusal]);

  function forget(): void {
    setRefusal(undefined);
    correct(NO_FAULTS);
  }
  function refuse(element: HTMLFormElement, problem: Problem): void {
    const { shown, others } = placeFaults(problem.errors, (name) => hasField(element, name));
    correct(shown);
    const found = findFields(element, shown);
    setRefusal({
      ...{ problem, rest: sentencesOf(others) },
      ...{ said: attentionWords(found), first: found[0]?.name },
    });
  }
  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const element = event.currentTarget;
    const unfit = [...findUnfit(element)].map(([field, wrong]) => ({ field, ...wrong }));
    if (unfit.length > 0) return refuse(element, problemOfFields(unfit));
    const values = new FormData(element);
    setBusy(true);
    changes.sending();
    forget();
    try {
      await submit(values);
      changes.taken(values);
      source?.saved();
    } catch (error) {
      changes.refused();
      refuse(element, problemOf(error));
    } finally {
      setBusy(false);
    }
  }
  /** Ends what was typed: the words above the button say so. */
  async function loadAnew(): Promise<void> {
    setBusy(true);
    try {
      await source?.reload();
    } catch (error) {
      if (form.current !== null) refuse(form.current, problemOf(error));
    } finally {
      setBusy(false);
    }
  }
  function onChange({ target }: ChangeEvent<HTMLFormElement>): void {
    correct((now) => withoutFields(now, fieldsAt(target)));
  }

  // A problem of fields alone is told by them and the line.
  const isOfForm = refusal !== undefined && (refusal.rest.length > 0 || refusal.said === '');
  return (
    <form
      ref={form}
      className={css.form}
      // The browser's own bubbles would come before the line beside the button, in its words and its language.
      noValidate
      onSubmit={onSubmit}
      onChange={onChange}
      onReset={forget}
    >
      <Refused value={{ faults, correct }}>
        <Stack gap="md">
          {children}
          {isOfForm && (
            <Alert color="red" title={refusal.problem.title} role="alert">
              {refusal.problem.message}
              {refusal.rest.map((sentence) => (
                <div key={sentence}>{sentence}</div>
              ))}
              {refusal.problem.kind === 'outdated' && source !== undefined && (
                <div>
                  <Button mt="xs" size="xs" variant="default" disabled={busy} onClick={loadAnew}>
                    Load what is there now
                  </Button>
                </div>
              )}
            </Alert>
          )}
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
            {refusal !== undefined && faults.size > 0 && (
              <Attention form={form} faults={faults} said={refusal.said} />
            )}
          </Group>
        </Stack>
      </Refused>
    </form>
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

/** The values of a field that is a list of rows. */
export const rowsOf = (values: FormData, name: string): string[] => {
  const text = textOf(values, name);
  return text === '' ? [] : text.split('\n');
};

import {
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useFieldError } from './form.tsx';

type Named<P> = P & { readonly name: string };

export function TextField(props: Named<TextInputProps>) {
  return <TextInput error={useFieldError(props.name)} {...props} />;
}

export function PasswordField(props: Named<PasswordInputProps>) {
  return <PasswordInput error={useFieldError(props.name)} {...props} />;
}

export function AreaField(props: Named<TextareaProps>) {
  return <Textarea error={useFieldError(props.name)} {...props} />;
}

export function SelectField(props: Named<NativeSelectProps>) {
  return <NativeSelect error={useFieldError(props.name)} {...props} />;
}

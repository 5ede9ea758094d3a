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

/** Its hint says what the server asks of a new password. */
export function NewPasswordField({ label }: { readonly label: string }) {
  return (
    <PasswordField
      name="password"
      label={label}
      description="At least 12 characters. A few words in a row work well."
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={256}
    />
  );
}

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
import css from './fields.module.css';
import { useFieldError } from './form.tsx';

type Named<P> = P & { readonly name: string };

/** How wide a field is, by what people type into it. */
type Sized<P> = Named<P> & { readonly fits?: 'digits' | 'words' | 'line' };

const sizeOf = (fits: 'digits' | 'words' | 'line' | undefined) =>
  fits === undefined ? {} : { classNames: { wrapper: css[fits] ?? '' } };

export function TextField({ fits, ...props }: Sized<TextInputProps>) {
  return <TextInput error={useFieldError(props.name)} {...sizeOf(fits)} {...props} />;
}

export function PasswordField({ fits, ...props }: Sized<PasswordInputProps>) {
  return <PasswordInput error={useFieldError(props.name)} {...sizeOf(fits)} {...props} />;
}

export function AreaField({ fits, ...props }: Sized<TextareaProps>) {
  return <Textarea error={useFieldError(props.name)} {...sizeOf(fits)} {...props} />;
}

export function SelectField({ fits, ...props }: Sized<NativeSelectProps>) {
  return <NativeSelect error={useFieldError(props.name)} {...sizeOf(fits)} {...props} />;
}

/** Its hint says what the server asks of a new password. */
export function NewPasswordField(props: Pick<Sized<PasswordInputProps>, 'label' | 'fits'>) {
  return (
    <PasswordField
      {...props}
      name="password"
      description="At least 12 characters. A few words in a row work well."
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={256}
    />
  );
}

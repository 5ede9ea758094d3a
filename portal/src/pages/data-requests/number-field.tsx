import { TextField } from '../../parts/form/fields.tsx';

export function NumberField() {
  return (
    <TextField
      name="destination"
      label="Full number"
      description="It is never put into this page’s address."
      placeholder="+447700900123"
      autoComplete="off"
      maxLength={300}
      w="22rem"
      maw="100%"
      required
    />
  );
}

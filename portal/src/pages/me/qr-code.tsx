import { encode } from 'uqr';
import css from './qr-code.module.css';

/** Dark on white in both schemes, as scanners expect. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={css.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret below"
    >
      <path d={path} />
    </svg>
  );
}

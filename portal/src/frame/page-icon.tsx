/** A page's sign, on a grid of 16. */
export function PageIcon({ sign }: { readonly sign: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={sign} />
    </svg>
  );
}

interface Pasted {
  /** What stood in the field, of which a part may have been selected. */
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What a field holds after something was pasted into it, as the items of a list: commas, spaces or line breaks stand between them. */
export const itemsAfterPaste = ({ value, from, to, text }: Pasted): string[] =>
  `${value.slice(0, from)}${text}${value.slice(to)}`.split(/[\s,;]+/).filter((item) => item !== '');

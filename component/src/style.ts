/** Its own style sheet is an object, not text in the page: a policy without inline styles allows it. */
const CSS = `
:host { display: block; max-inline-size: 24rem; font: inherit; line-height: 1.5;
  --_accent: var(--countersign-accent, #1f5fbf); --_on-accent: var(--countersign-on-accent, #fff);
  --_error: var(--countersign-error, #b3261e); --_success: var(--countersign-success, #176b35);
  --_border: var(--countersign-border, #74777f); --_field: var(--countersign-field, #fff);
  --_text: var(--countersign-text, #1b1c1f); --_muted: var(--countersign-muted, #54575e);
  --_radius: var(--countersign-radius, .5rem); --_gap: var(--countersign-gap, .75rem) }
@supports (color: light-dark(red, red)) {
  :host { --_accent: var(--countersign-accent, light-dark(#1f5fbf, #9cc2ff));
    --_on-accent: var(--countersign-on-accent, light-dark(#fff, #06264f));
    --_error: var(--countersign-error, light-dark(#b3261e, #ffb4ab));
    --_success: var(--countersign-success, light-dark(#176b35, #8ad8a0));
    --_border: var(--countersign-border, light-dark(#74777f, #8f9198));
    --_field: var(--countersign-field, light-dark(#fff, #17181b));
    --_text: var(--countersign-text, light-dark(#1b1c1f, #e6e7ea));
    --_muted: var(--countersign-muted, light-dark(#54575e, #b4b7bf)) }
}
:host([hidden]), [hidden], p:empty { display: none }
[role=status]:empty { display: block }
* { box-sizing: border-box }
[part=root] { position: relative; color: var(--countersign-text, inherit) }
form { display: grid; gap: var(--_gap) }
p { margin: 0 }
label { font-weight: 600; margin-block-end: calc(var(--_gap) / -2) }
select, input, button { font: inherit; inline-size: 100%; min-block-size: 44px; padding: .5rem .75rem;
  border: 1px solid var(--_border); border-radius: var(--_radius) }
select, input { background: var(--_field); color: var(--_text) }
/* Numbers read from left to right, but begin where the language does. */
[dir=rtl] input { text-align: right }
#code { letter-spacing: .2em; font-variant-numeric: tabular-nums }
[aria-invalid=true] { border-color: var(--_error) }
button { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); font-weight: 600; cursor: pointer;
  transition: opacity .15s }
button[type=button] { background: none; border-color: var(--_border); color: var(--_accent) }
[aria-disabled=true], [aria-busy=true] button { opacity: .6; cursor: default }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px }
[part=wait] { color: var(--_muted); font-variant-numeric: tabular-nums }
[part=error] { color: var(--_error) }
[part=done] { color: var(--_success); font-weight: 600 }
[role=status] { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (prefers-reduced-motion: reduce) { button { transition: none } }
`;

let sheet: CSSStyleSheet | undefined;

/** One for all elements of the page. */
export function sharedSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

/** Its own style sheet is an object, not text in the page: a policy without inline styles allows it. */
const CSS = `
:host { display: block; inline-size: 100%; max-inline-size: 24rem; font: inherit; line-height: 1.5;
  --_accent: var(--countersign-accent, #1f5fbf); --_on-accent: var(--countersign-on-accent, #fff);
  --_error: var(--countersign-error, #b3261e); --_success: var(--countersign-success, #176b35);
  --_border: var(--countersign-border, #74777f); --_field: var(--countersign-field, #fff);
  --_text: var(--countersign-text, #1b1c1f); --_muted: var(--countersign-muted, #54575e);
  --_radius: var(--countersign-radius, .5rem); --_gap: var(--countersign-gap, .75rem);
  --_length: 6; --_place: min(44px, 264px / var(--_length)) }
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
:host([hidden]), [hidden], p:empty { display: none !important }
[role=status]:empty { display: block !important }
* { box-sizing: border-box }
[part=root] { position: relative; color: var(--countersign-text, inherit) }
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_gap) }
p { margin: 0 }
label { font-size: .9375em; font-weight: 600; margin-block-end: calc(var(--_gap) / -2) }
select, input, button { font: inherit; min-block-size: 44px; margin: 0; border: 0; background: none; color: inherit }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }

[part~=field] { display: flex; background: var(--_field); color: var(--_text); border: 1px solid var(--_border);
  border-radius: var(--_radius); transition: border-color .15s }
[part~=field]:focus-within { border-color: var(--_accent); outline: 2px solid var(--_accent); outline-offset: -1px }
[part~=field] :focus-visible { outline: none }
[part~=invalid], [part~=invalid]:focus-within { border-color: var(--_error); outline-color: var(--_error) }
.country { position: relative; display: flex }
select { position: absolute; inset: 0; inline-size: 100%; padding: 0; opacity: 0; cursor: pointer; font-size: max(1em, 16px) }
[aria-busy=true] select { pointer-events: none }
[part=calling-code] { display: flex; align-items: center; gap: .375rem; padding-inline: .75rem .25rem; white-space: nowrap;
  pointer-events: none }
[part=calling-code]::after { content: ''; inline-size: .375rem; block-size: .375rem; margin: -.25rem .375rem 0 .125rem;
  border: solid var(--_muted); border-width: 0 2px 2px 0; transform: rotate(45deg) }
select:hover + [part=calling-code]::after { border-color: var(--_text) }
select:focus-visible + [part=calling-code] { border-radius: calc(var(--_radius) - 2px); outline: 2px solid var(--_accent); outline-offset: -4px }
.flag { line-height: 1 }
input { flex: 1; min-inline-size: 0; padding: .5rem .75rem; border-radius: inherit; font-size: max(1em, 16px) }
#number { padding-inline-start: .5rem }
::placeholder { color: var(--_muted); opacity: .8 }

.places { container-type: inline-size }
@supports (inline-size: 1cqi) { [part~=digits] { --_place: min(64px, (100cqi - 1px) / var(--_length)) } }
[part~=digits] { inline-size: calc(var(--_length) * var(--_place) + 1px); overflow: clip }
#code { flex: none; inline-size: calc((var(--_length) + 1) * var(--_place)); block-size: 3.25rem; padding: 0 0 0 calc((var(--_place) - 1ch) / 2);
  font: 500 1.375rem/1 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  letter-spacing: calc(var(--_place) - 1ch);
  background: linear-gradient(to right, var(--_border) 1px, transparent 1px) -1px 0 / var(--_place) 100% }
#code[aria-invalid=true], #code[aria-invalid=true]::selection { color: var(--_error) }
#code[aria-invalid=true]::selection { background-color: transparent }

button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; cursor: pointer; font-weight: 600;
  transition: opacity .15s, filter .15s }
button[type=submit] { padding: .5rem 1rem; background: var(--_accent); color: var(--_on-accent); border-radius: var(--_radius) }
button[type=submit]:not([aria-disabled=true], [aria-busy=true]):hover { filter: brightness(1.1) }
button[type=button] { margin-block: -.5rem; padding: 0; border-radius: 4px; color: var(--_accent); font-weight: 500; font-size: .9375em; text-align: start;
  text-underline-offset: .2em }
button[type=button]:not([aria-disabled=true], [aria-busy=true]):hover { text-decoration: underline }
[part~=step] > button[type=button] { justify-self: start }
button:is([aria-disabled=true], [aria-busy=true]) { cursor: default }
button[aria-disabled=true][type=submit] { opacity: .6 }
button[aria-disabled=true][type=button] { color: var(--_muted) }
button[aria-busy=true]::before { content: ''; inline-size: 1em; block-size: 1em; border: 2px solid; border-inline-start-color: transparent;
  border-radius: 50%; animation: turn .8s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
.line { display: flex; flex-wrap: wrap; align-items: center; column-gap: .5rem }
div.line { justify-content: space-between; min-block-size: 28px }
[part=wait] { color: var(--_muted); font-variant-numeric: tabular-nums }
span[part=wait] { font-size: .9375em }
[part=error] { color: var(--_error); font-size: .9375em; margin-block-start: calc(var(--_gap) / -3) }
[part=destination] { font-weight: 600; white-space: nowrap }

[part=done] { position: relative; padding-block: .25rem; padding-inline-start: 2.75rem; color: var(--_success); font-weight: 600;
  border-radius: var(--_radius) }
[part=done]:focus-visible { outline: none }
[part=done]::before, [part=done]::after { content: ''; position: absolute; top: 0; inset-inline-start: 0; inline-size: 2rem; block-size: 2rem;
  border-radius: 50%; background: var(--_success) }
[part=done]::after { top: .375rem; inset-inline-start: .6875rem; inline-size: .625rem; block-size: 1rem; border: solid var(--_field);
  border-width: 0 3px 3px 0; border-radius: 0; background: none; transform: rotate(45deg) }
[role=status] { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (prefers-reduced-motion: reduce) { * { transition: none !important } button[aria-busy=true]::before { animation-duration: 4s } }
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

/** The element's own, with how many places the code has. */
export class LengthSheet {
  readonly sheet = new CSSStyleSheet();
  #length = 0;

  set(length: number): void {
    if (length === this.#length) return;
    this.#length = length;
    this.sheet.replaceSync(`:host { --_length: ${length} }`);
  }
}

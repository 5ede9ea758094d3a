/** How the pages look: one style sheet in the page, which is all that its policy allows. */
import { hash } from 'node:crypto';
import { CHOICE_STYLE } from './samples/languages.ts';

const BASICS = `
:root { color-scheme: light dark; --line: light-dark(#d9dce3, #363a45); --soft: light-dark(#f4f5f8, #1c1f27);
  --ink: light-dark(#1c1f27, #e4e6ec); --dim: light-dark(#565c6b, #a3a9b8); --accent: light-dark(#1a4fb8, #8ab4ff);
  --paper: light-dark(#fff, #14161c); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 4rem 0 .5rem; }
h3 { font-size: 1.2rem; line-height: 1.25; margin: 0 0 .25rem; }
h4 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
:is(h2, h3) a:hover { text-decoration: underline; }
/* Below the bar that sticks at the top. As padding of the page it would make the focus of that bar scroll. */
:is(h2, h3, a, summary, pre) { scroll-margin-top: 4.5rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
a, summary { min-height: 1.5rem; }
a { display: inline-block; }
a code { color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: .875em/1.6 ui-monospace, monospace; background: var(--soft); padding: .1em .35em; border-radius: .25rem; }
pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; overflow-wrap: normal; line-height: 1.5; tab-size: 4; }
pre code { background: none; padding: 0; line-height: inherit; font-size: .8125rem; }
pre, figure, details { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; }
:is(figure, details) pre { border: 0; border-radius: 0 0 .5rem .5rem; }
ul, ol { margin: .5rem 0; padding-left: 1.5rem; }
li { margin: .25rem 0; }
dl { margin: .25rem 0; }
dt { padding-top: .6rem; border-top: 1px solid var(--line); }
dd { margin: .15rem 0 .6rem; }
dd p { margin: .15rem 0; }
dd dl { margin: .5rem 0 0; padding-left: .9rem; border-left: 2px solid var(--line); }
dd dl dt:first-child { border-top: 0; padding-top: 0; }
dt code { font-weight: 600; }
.type { color: var(--dim); font-size: .875rem; }
.type + .type::before { content: '· '; }
dt strong { font-size: .8125rem; }
`;

const PARTS = `
main { padding: 2rem 1rem 6rem; max-width: 80rem; min-width: 0; }
.languages + section h2 { margin-top: 1rem; }
.alone { margin: 0 auto; max-width: 44rem; }
.route { margin: 0 0 .5rem; }
.pair { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); }
.examples { display: grid; gap: .75rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
section section { padding-top: 2rem; margin-top: 2rem; border-top: 1px solid var(--line); }
figure { margin: 0; }
figcaption { display: flex; gap: 1rem; justify-content: space-between; padding: .35rem 1rem; font-size: .8125rem;
  border-bottom: 1px solid var(--line); }
figcaption span { color: var(--dim); }
summary { padding: .35rem 1rem; cursor: pointer; font-size: .875rem; }
summary code { background: none; padding: 0 .25rem 0 0; }
.examples details > :is(p, dl) { padding: 0 1rem; }
`;

const NAVIGATION = `
nav ul { list-style: none; margin: 0; padding: 0; font-size: .875rem; }
nav ul ul { padding-left: .9rem; border-left: 1px solid var(--line); }
nav li { margin: 0; }
nav a { display: flex; align-items: center; min-height: 1.75rem; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); }
nav ul ul a { color: var(--dim); }
.side { display: none; }
.fold { padding: 1rem 1rem 0; }
.fold details > ul { padding: .25rem 1rem .75rem; }
.languages { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .25rem; padding: .6rem 0;
  background: var(--paper); }
.languages label { position: relative; cursor: pointer; }
.languages input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.languages span { display: block; padding: .2rem .55rem; border: 1px solid transparent; border-radius: 1rem;
  font-size: .875rem; }
.languages input:checked + span { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.languages input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 1px; }
${CHOICE_STYLE} { display: none; }
@media (min-width: 1000px) {
  .layout { display: grid; grid-template-columns: 14rem minmax(0, 80rem); justify-content: center; }
  .side { display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 0 2rem 1rem; }
  .fold { display: none; }
  main { padding: 2rem 1.5rem 6rem 2.5rem; }
  .pair { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .languages { justify-content: end; }
  .pair + dl { margin-top: 1.5rem; }
  main > section > dl { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  main > section > dl > dd { margin: 0; padding: .6rem 0; border-top: 1px solid var(--line); }
}
`;

const GUIDES = `
.guide { max-width: 52rem; }
.guide h2 { margin-top: 2.5rem; }
.guide h3 { margin-top: 1.75rem; }
.guide pre { margin: .75rem 0; }
.wide { overflow-x: auto; margin: .75rem 0; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: .9375rem; }
:is(th, td) { padding: .4rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--soft); }
a[aria-current] { color: var(--accent); font-weight: 600; }
`;

export const STYLE = BASICS + PARTS + NAVIGATION + GUIDES;

/** Allows only the style sheet above, by its digest. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

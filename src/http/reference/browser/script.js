/** What the pages do beyond reading: search, copy, and mark where somebody is. Each page is whole without. */
{
  /** So many of what was found. */
  const SHOWN = 12;
  const remembered = readScheme();
  // Before the first paint, so that a dark page never flashes white.
  if (remembered === 'light' || remembered === 'dark') document.documentElement.dataset.scheme = remembered;

  addEventListener('DOMContentLoaded', () => {
    fillAddress();
    offerCopies();
    offerSearch();
    followMenu();
    followReading();
  });

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  function readScheme() {
    try {
      return localStorage.getItem('countersign-scheme');
    } catch {
      // A browser may keep pages from storing anything.
      return null;
    }
  }

  /** The page itself is kept for every address of the service, so only the browser knows which one it is. */
  function fillAddress() {
    const unfilled = 'export COUNTERSIGN_URL=...';
    for (const { firstChild: text } of document.querySelectorAll('.block code')) {
      if (text.data.startsWith(unfilled)) text.replaceData(unfilled.length - 3, 3, location.origin);
    }
  }

  function offerCopies() {
    // Browsers have it only on pages that nobody could have changed on the way.
    if (navigator.clipboard === undefined) return;
    const told = make('p', { className: 'quiet', role: 'status' });
    document.body.append(told);
    for (const block of document.querySelectorAll('.block')) {
      const caption = block.parentElement.querySelector(':scope > figcaption');
      const button = make('button', { className: 'copy', type: 'button' }, 'Copy');
      if (caption !== null) button.append(make('span', { className: 'quiet' }, ` ${caption.textContent}`));
      button.onclick = async () => {
        const label = button.firstChild;
        const copied = await navigator.clipboard.writeText(block.firstElementChild.textContent).then(
          () => true,
          () => false,
        );
        label.data = copied ? 'Copied' : 'Not copied';
        told.textContent = copied ? 'Copied to the clipboard' : 'The browser does not let the page copy';
        setTimeout(() => {
          label.data = 'Copy';
          told.textContent = '';
        }, 2_000);
      };
      (caption ?? block).append(button);
    }
  }

  function offerSearch() {
    const open = document.querySelector('.find');
    const field = make('input', {
      type: 'text',
      placeholder: 'Search guides and reference',
      autocomplete: 'off',
    });
    const found = make('div', { className: 'found', id: 'found', role: 'listbox', ariaLabel: 'Found' });
    const told = make('p', { role: 'status' });
    const dialog = make('dialog', { className: 'search', ariaLabel: 'Search' }, field, found, told);
    for (const [name, value] of Object.entries({
      ...{ role: 'combobox', 'aria-label': 'Search', 'aria-controls': 'found', 'aria-autocomplete': 'list' },
      'aria-expanded': 'false',
    })) {
      field.setAttribute(name, value);
    }
    document.body.append(dialog);
    let entries;
    let missing = 'Searching…';
    let chosen = 0;

    async function show() {
      if (dialog.open) return;
      dialog.showModal();
      field.select();
      if (entries !== undefined) return;
      missing = 'Searching…';
      list();
      try {
        const answer = await fetch('/docs/search.json');
        if (!answer.ok) throw new Error(answer.statusText);
        entries = await answer.json();
      } catch {
        missing = 'The search is not there just now. Close it and try again.';
      }
      list();
    }

    function choose(index) {
      const options = [...found.children];
      chosen = options.length === 0 ? 0 : (index + options.length) % options.length;
      for (const [at, option] of options.entries()) option.ariaSelected = String(at === chosen);
      field.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
      options[chosen]?.scrollIntoView({ block: 'nearest' });
    }

    function list() {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rank = ([, title, about, also]) => {
        const name = title.toLowerCase();
        const names = `${name} ${also}`.toLowerCase();
        if (!words.every((word) => `${names} ${about.toLowerCase()}`.includes(word))) return 3;
        if (name.startsWith(words[0])) return 0;
        return words.every((word) => names.includes(word)) ? 1 : 2;
      };
      const ranked = words.length === 0 ? [] : (entries ?? []).map((entry) => [rank(entry), entry]);
      const best = ranked.filter(([rank]) => rank < 3).sort(([a], [b]) => a - b);
      found.replaceChildren(
        ...best
          .slice(0, SHOWN)
          .map(([, [href, title, about]], index) =>
            make(
              'a',
              { href, id: `found-${index}`, role: 'option', tabIndex: -1, onclick: () => dialog.close() },
              ...[title, make('span', { className: 'about' }, about)],
            ),
          ),
      );
      field.setAttribute('aria-expanded', String(best.length > 0));
      told.textContent = words.length === 0 && entries !== undefined ? '' : tell(best.length);
      choose(0);
    }

    function tell(count) {
      if (entries === undefined) return missing;
      if (count === 0) return 'Nothing found';
      return count <= SHOWN
        ? `${count} found`
        : `${count} found, ${count - SHOWN} more than shown: type more letters`;
    }

    field.oninput = list;
    field.onkeydown = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) choose(chosen + step);
      else if (event.key === 'Enter') found.children[chosen]?.click();
      else return;
      event.preventDefault();
    };
    open.onclick = show;
    dialog.onclick = ({ target }) => {
      if (target === dialog) dialog.close();
    };
    addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const plain =
        key === '/' && !target.closest('input:not([type=radio]), textarea') && !ctrlKey && !metaKey;
      if (altKey || !(plain || (key.toLowerCase() === 'k' && (ctrlKey || metaKey)))) return;
      event.preventDefault();
      show();
    });
  }

  /** The menu closes where it leads to another part of the same page, and where the window becomes wide. */
  function followMenu() {
    const menu = document.querySelector('.contents');
    const close = () => {
      if (menu.matches(':popover-open')) menu.hidePopover();
    };
    menu.onclick = ({ target }) => {
      if (target.closest('a') !== null) close();
    };
    matchMedia('(min-width: 60em)').onchange = close;
    const current = menu.querySelector('[aria-current]');
    const reveal = () => {
      if (current !== null) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
    };
    menu.ontoggle = reveal;
    reveal();
  }

  /** Marks the part that is being read. */
  function followReading() {
    const links = [...document.querySelectorAll('.contents a, .outline a')].filter(
      ({ hash, pathname }) => hash !== '' && pathname === location.pathname,
    );
    const parts = links.map((link) => [
      link,
      document.getElementById(decodeURIComponent(link.hash.slice(1))),
    ]);
    const mark = () => {
      const [reading] = parts.findLast(([, part]) => part?.getBoundingClientRect().top < 120) ?? [];
      for (const link of links) {
        if (link === reading) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    };
    addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
    mark();
  }
}

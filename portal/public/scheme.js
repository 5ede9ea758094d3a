// Before the first paint, so that a dark page never flashes white. A file, because the policy allows no inline script.
const remembered = localStorage.getItem('countersign-scheme');
const dark =
  remembered === 'dark' || (remembered !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';

import type { Mutant } from '../mutant.ts';

export const DEMO: readonly Mutant[] = [
  {
    breaks: 'a demo sends nothing',
    file: 'src/cli/demo.ts',
    from: ', carriersOf: simulateCarriers }',
    to: ' }',
    tests: ['test/demo/figures.test.ts'],
  },
  {
    breaks: 'a demo reads nothing of the operator’s',
    file: 'src/demo/configuration.ts',
    from: 'readSource({ COUNTERSIGN_CONFIG: file }',
    to: 'readSource({ ...process.env, COUNTERSIGN_CONFIG: file }',
    tests: ['test/demo/process.test.ts'],
  },
  {
    breaks: 'a demo listens on loopback only',
    file: 'src/demo/configuration.ts',
    from: "export const DEMO_HOST = '127.0.0.1'",
    to: "export const DEMO_HOST = '0.0.0.0'",
    tests: ['test/demo/process.test.ts'],
  },
  {
    breaks: 'a demo takes its folder away',
    file: 'src/cli/demo.ts',
    from: "process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));",
    to: '',
    tests: ['test/demo/process.test.ts'],
  },
];

/** `countersign serve`, but alerts are looked at each second and spans sent at once, which a test cannot wait for. */
import { runService } from '../src/cli/serve.ts';

await runService({ alertsMs: 1_000, spans: { delayMs: 20 } });

import { join } from 'node:path';

/** Where the store is in a data folder; by itself, so that to name it loads no SQLite. */
export const storeFile = (dataDir: string): string => join(dataDir, 'countersign.db');

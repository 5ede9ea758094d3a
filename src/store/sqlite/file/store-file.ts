import { join } from 'node:path';

/** The store's file in a data folder; in a module of its own, so that naming it does not load SQLite. */
export const storeFile = (dataDir: string): string => join(dataDir, 'countersign.db');

/** All types of carriers, loaded: for what describes them, and for commands. A service loads those that its configuration names. */
import { loadAllTypes } from './registry.ts';

export const CARRIER_TYPES = await loadAllTypes();

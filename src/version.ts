/** The version of this program, from package.json, of the numbering plans that it knows, and of the Node that it runs on. */
import numbers from 'libphonenumber-js/package.json' with { type: 'json' };
import project from '../package.json' with { type: 'json' };

export const VERSION = project.version;
/** Of libphonenumber-js, whose changes say which of Google's metadata it holds. */
export const NUMBERING_PLANS = numbers.version;
export const NODE_VERSION = process.versions.node;

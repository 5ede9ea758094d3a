/** The version of this program, from package.json, and the Node that it runs on. */
import project from '../package.json' with { type: 'json' };

export const VERSION = project.version;
export const NODE_VERSION = process.versions.node;

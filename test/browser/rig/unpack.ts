/**
 * A thread that unpacks the Chromium of the npm package. The package unpacks into the temporary folder, and brings the system
 * libraries that a bare machine lacks only where it believes itself on AWS: the thread has an environment of its own that says so.
 */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();

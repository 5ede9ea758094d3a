/**
 * A thread that unpacks the Chromium of the npm package. The package unpacks into the temporary folder, and brings the system
 * libraries that a bare machine lacks only if it believes it runs on AWS: the thread's own environment says so.
 */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();

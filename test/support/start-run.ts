import { main } from '../../src/launcher/launcher.js';

/** `npm start` without the check for a stale build, which would rebuild the code under test. */
await main();

import { compiled, prepare } from './lib/prepare.mjs';

// `npm run test:readers`: gives twenty tasks to a reader who knows nothing but the README, the documents and the tools.
await prepare('test');
await compiled('test/readers/run.js');

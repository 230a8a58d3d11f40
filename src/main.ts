import { unknownVariables } from './config/environment.js';
import { serve } from './serve.js';

for (const warning of unknownVariables(process.env)) process.stderr.write(`${warning}\n`);
const app = await serve(process.env);
process.send?.({ listening: await app.getUrl() });

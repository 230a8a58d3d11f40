import { serve } from './serve.js';

const app = await serve(process.env);
process.send?.({ listening: await app.getUrl() });

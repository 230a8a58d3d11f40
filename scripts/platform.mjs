import { parseArgs } from 'node:util';
import { compiled, prepare, say } from './lib/prepare.mjs';

let values;
try {
  ({ values } = parseArgs({ options: { json: { type: 'boolean' }, port: { type: 'string' } } }));
} catch (error) {
  say(`${error.message}\nusage: npm run platform [-- --json] [--port PORT]`);
  process.exit(2);
}
await prepare();
process.argv.splice(2, Infinity, '--print', values.json ? 'json' : 'text', '--posts-per-minute', '2');
if (values.port !== undefined) process.argv.push('--port', values.port);
await compiled('src/sandbox/main.js').catch((error) => {
  const isPortInUse = error.code === 'EADDRINUSE';
  say(
    isPortInUse ? `Port ${error.port} is in use by another program; set --port to a free one` : error.message,
  );
  process.exit(1);
});

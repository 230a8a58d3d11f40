import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SandboxClient } from '../../test/support/sandbox-client.js';

describe('command line', () => {
  it('prints its address, accepts forums, serves its statistics and exits on a signal', async () => {
    const main = fileURLToPath(new URL('./main.js', import.meta.url));
    const child = spawn(process.execPath, [main, '--forum', 'tiny:7:2', '--seed', '3'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const baseUrl = (JSON.parse(line) as { listening: string }).listening;
    const client = await new SandboxClient(baseUrl).signIn();
    expect(await client.posts('/r/tiny/new')).toHaveLength(7);
    expect(await client.json('/__stats')).toMatchObject({ requests: 1, byPath: { token: 1, listing: 1 } });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

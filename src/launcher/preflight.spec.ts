import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { checkBeforeStart } from './preflight.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const folder = await temporaryFolder();

describe('preflight', () => {
  const plan = { postgres: true, redis: true };

  const check = (variables: NodeJS.ProcessEnv): Promise<void> =>
    checkBeforeStart(parseEnvironment({ DATA_DIR: join(folder, 'data'), PORT: '0', ...variables }), plan);

  async function refusal(variables: NodeJS.ProcessEnv): Promise<string> {
    const error = await check(variables).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }

  it('accepts a valid configuration', async () => {
    await expect(check({ PLUGINS_DIR: folder })).resolves.toBeUndefined();
  });

  it('rejects a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await refusal({ PORT: String(port) })).toBe(
      `Port ${port} is in use by another program; set PORT to a free one`,
    );
    server.close();
  });

  it('rejects a host that is not this machine, and names it', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(/^HOST 192\.0\.2\.1 is not an address/);
    expect(await refusal({ HOST: 'nohost.invalid' })).toMatch(/^HOST nohost\.invalid is not an address/);
  });

  it('rejects an unusable folder and names its variable', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: file })).toBe(
      `DATA_DIR ${file} cannot be used (EEXIST); set it to a folder that this user may write`,
    );
    expect(await refusal({ PLUGINS_DIR: join(folder, 'none') })).toMatch(
      /^PLUGINS_DIR .*none cannot be read \(ENOENT\); set it to a folder with plugins or unset it$/,
    );
  });
});

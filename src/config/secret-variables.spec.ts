import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnvironment, unknownVariables } from './environment.js';
import { SECRET_VARIABLES } from './secret-variables.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const VALID: Record<(typeof SECRET_VARIABLES)[number], string> = {
  DATABASE_URL: 'postgres://user:password@db/wss',
  DATABASE_REQUEST_URL: 'postgres://requests:password@db/wss',
  REDIS_URL: 'redis://:password@redis',
  PLATFORM_CLIENT_SECRET: 'client secret',
  MEDIA_S3_ACCESS_KEY_ID: 'access key',
  MEDIA_S3_SECRET_ACCESS_KEY: 'secret access key',
  STACKEXCHANGE_KEY: 'key-of-an-application',
  GITHUB_TOKEN: 'token-of-an-account',
  REDDIT_FEED_TOKEN: 'token-of-a-feed',
  SMTP_URL: 'smtp://user:password@mail',
  JUDGE_API_KEY: 'key of a model',
  ENCRYPTION_KEY: 'ab'.repeat(32),
  ADMIN_TOKEN: 'token-of-the-operator-of-32-characters',
  OIDC_CLIENT_SECRET: 'client secret',
  HTTPS_PROXY: 'http://user:password@proxy',
};
const MARKER = 'sesame';

describe('a secret variable', () => {
  let folder: string;
  beforeEach(async () => (folder = await temporaryFolder()));

  it.each(SECRET_VARIABLES)('%s can be given as a file', async (name) => {
    const path = join(folder, name);
    await writeFile(path, `${VALID[name]}\n`);
    const others = {
      MAIL_FROM: 'a@b.example',
      ...(name === 'DATABASE_REQUEST_URL' && { DATABASE_URL: VALID.DATABASE_URL }),
    };
    const variables = { ...others, [`${name}_FILE`]: path };
    expect(parseEnvironment(variables)).toEqual(parseEnvironment({ ...others, [name]: VALID[name] }));
    expect(unknownVariables(variables)).toEqual([]);
  });

  it.each(SECRET_VARIABLES)('%s is not given twice, and its file must exist', (name) => {
    const file = { [`${name}_FILE`]: join(folder, 'missing') };
    expect(() => parseEnvironment(file)).toThrow(`${name}_FILE names a file that cannot be read (ENOENT)`);
    expect(() => parseEnvironment({ ...file, [name]: VALID[name] })).toThrow('are both set');
  });

  it.each(SECRET_VARIABLES)('%s is not repeated in a refusal', (name) => {
    for (const value of [`${MARKER} ${VALID[name]}`, MARKER, `${VALID[name]},${MARKER}`])
      try {
        parseEnvironment({ [name]: value, PORT: 'x' });
      } catch (error) {
        expect((error as Error).message).not.toContain(MARKER);
      }
  });
});

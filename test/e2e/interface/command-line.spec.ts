import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { COMMANDS, runProgram } from '../../../clients/typescript/src/cli/program.js';
import { PART_LIMITS } from '../../../src/takeout/exports/export-executor.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication } from '../../support/application.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';

const POSTS = 450;
const HOSTILE = 'Red \u001b[31malert\u0007 \u202egnp';

interface Ended {
  code: number;
  out: string;
  err: string;
}

const sandbox = await openSandbox({});
const service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
const workspace = await service.createWorkspace('Listening');

describe('wss', () => {
  let folder: string;

  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      ...Array.from({ length: POSTS - 1 }, (_, n) => aPost(n)),
      aPost(POSTS, { title: HOSTILE, forum: 'hostile' }),
    ]);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wss-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const signedIn = (): Record<string, string> => ({ WSS_URL: service.url, WSS_API_KEY: workspace.apiKey });
  async function run(args: string[], env: Record<string, string> = signedIn(), input = ''): Promise<Ended> {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end(input);
    const printed = [text(stdout), text(stderr)] as const;
    const code = await runProgram(args, { env: { HOME: folder, ...env }, stdin, stdout, stderr });
    stdout.end();
    stderr.end();
    return { code, out: await printed[0], err: await printed[1] };
  }
  const records = <T>({ out }: Ended): T[] =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);

  const credentials = (): string => join(folder, '.config/wss/credentials.json');
  const signIn = (key = workspace.apiKey): Promise<Ended> =>
    run(['login', '--url', `${service.url}/`], {}, `${key}\n`);

  it('stores a checked key in a file that only its owner may read', async () => {
    const { code, out } = await signIn();
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Signed in to Listening with the scopes admin.'),
    ]);
    expect(statSync(credentials()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(credentials(), 'utf8'))).toEqual({
      url: service.url,
      api_key: workspace.apiKey,
    });
    expect((await run(['jobs'], {})).code).toBe(0);
  });

  it('stores no key that the service refuses', async () => {
    const { code, err } = await signIn('rp_wrong');
    expect([code, err]).toEqual([3, expect.stringMatching(/^wss: invalid_api_key: .+\nSign in .*wss login/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a file that others may read', async () => {
    await signIn();
    chmodSync(credentials(), 0o640);
    expect(await run(['jobs'], {})).toMatchObject({
      code: 3,
      err: expect.stringContaining(`chmod 600 ${credentials()}`),
    });
  });

  it.each([
    ['no credentials', {}, /not signed in\n.*wss login/],
    ['one of the two variables', { WSS_URL: 'http://127.0.0.1:1' }, /Only one of WSS_URL/],
  ])('needs credentials: %s', async (_, env, message) => {
    expect(await run(['jobs'], env)).toEqual({ code: 3, out: '', err: expect.stringMatching(message) });
  });

  it('does not send the stored key to an address of the environment', async () => {
    await signIn();
    expect((await run(['jobs'], { WSS_URL: 'http://127.0.0.1:1' })).code).toBe(3);
  });

  it('names the address problem when there is no answer', async () => {
    const { code, err } = await run(['jobs', 'start', 'technology'], {
      WSS_URL: 'http://127.0.0.1:1',
      WSS_API_KEY: 'rp_x',
    });
    expect([code, err]).toEqual([4, expect.stringMatching(/did not answer: .+\nCheck the address/)]);
  });

  it.each([
    ['an unknown command', ['searh'], /Unknown command searh\nSee: wss --help/],
    ['an unknown option', ['search', '--form', 'a'], /--form.*\nSee: wss search --help/],
    ['an unknown choice', ['search', '--sentiment', '!bad'], /--sentiment must be one of positive/],
    ['a number that is none', ['search', '--limit', '0'], /--limit must be a whole number from 1 on/],
    ['a missing argument', ['jobs', 'show'], /The id of a job is required/],
    ['an argument too many', ['alerts', 'pause', 'a', 'b'], /Unexpected argument b/],
    ['an unknown action', ['jobs', 'stop'], /Unknown action stop/],
  ])('says what is wrong with the usage: %s', async (_, args, message) => {
    expect(await run(args, {})).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  it.each(COMMANDS.map(({ name }) => name))('%s has help with every option', async (name) => {
    const { code, out } = await run([name, '--help'], {});
    const { options } = COMMANDS.find((one) => one.name === name)!;
    expect(code).toBe(0);
    for (const option of [...Object.keys(options), 'json', 'help']) expect(out).toContain(`--${option}`);
    expect(readFileSync(join(import.meta.dirname, '../../../../docs/command-line.md'), 'utf8')).toContain(
      `| \`${name}\` |`,
    );
  });

  it('shows a refusal as one line with its remedy, and as JSON', async () => {
    const args = ['search', '--after', 'yesterday'];
    expect((await run(args)).err).toMatch(/^wss: validation_failed: .*created_after.*\n$/);
    expect(JSON.parse((await run([...args, '--json'])).err)).toMatchObject({
      error: expect.stringContaining('created_after'),
      code: 'validation_failed',
      request_id: expect.any(String),
    });
  });

  it('searches with filters and prints JSON, one record a line', async () => {
    const found = records<{ forum: string; score: number }>(
      await run(['search', 'post', '--forum', '!hostile', '--sort', 'score', '--limit', '7', '--json']),
    );
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
    expect([found.length, found.some(({ forum }) => forum === 'hostile')]).toEqual([7, false]);
  });

  it('prints every row once with --all', async () => {
    const ids = records<{ id: string }>(await run(['search', '--all', '--json'])).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([POSTS, POSTS]);
  });

  it('prints a table without characters that control the terminal', async () => {
    const { out, err } = await run(['search', '--forum', 'hostile']);
    expect(out).toMatch(
      /^TIME +SCORE +SENTIMENT +WHERE +TEXT +ID\n.* hostile +Red {2}\[31malert {3}gnp +t3_/,
    );
    expect(err).toBe('1 of 1 post\n');
    const json = (await run(['search', '--forum', 'hostile', '--json'])).out;
    // eslint-disable-next-line no-control-regex
    expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect((JSON.parse(json) as { title: string }).title).toBe(HOSTILE);
  });

  it.each(['csv', 'ndjson', 'json', 'parquet'])('exports %s to a file', async (format) => {
    const file = join(folder, `rows.${format}`);
    const ended = await run(['export', '--format', format, '--to', file, '--json']);
    expect([ended.code, records<{ rows: number; files: string[] }>(ended)]).toEqual([
      0,
      [expect.objectContaining({ rows: POSTS, files: [file] })],
    ]);
    const content = readFileSync(file);
    const lines = content.toString('latin1').trim().split('\n').length;
    if (format === 'csv') expect(lines).toBeGreaterThan(POSTS);
    if (format === 'ndjson') expect(lines).toBe(POSTS);
    expect(readdirSync(folder)).toEqual([`rows.${format}`]);
  });

  it('joins the parts of a CSV below one heading, and numbers those of Parquet', async () => {
    const { rows } = PART_LIMITS;
    PART_LIMITS.rows = 100;
    try {
      const [csv, parquet] = [join(folder, 'rows.csv'), join(folder, 'rows.parquet')];
      await run(['export', 'batteries', '--to', csv]);
      const lines = readFileSync(csv, 'utf8').trim().split('\r\n');
      expect(lines.length).toBe(POSTS);
      expect(lines.filter((line) => /^"?id"?,/.test(line))).toHaveLength(1);
      const { out } = await run(['export', '--format', 'parquet', '--to', parquet]);
      expect(out.trim().split('\n')).toEqual([
        parquet,
        ...[2, 3, 4, 5].map((n) => join(folder, `rows-${n}.parquet`)),
      ]);
    } finally {
      PART_LIMITS.rows = rows;
    }
  });

  it('gives no file its name whose checksum differs', async () => {
    const file = join(folder, 'rows.csv');
    const send = globalThis.fetch;
    globalThis.fetch = async (...args: Parameters<typeof fetch>) => {
      const response = await send(...args);
      return String((args[0] as Request).url).includes('/parts/') ? new Response('cut') : response;
    };
    try {
      const { code, err } = await run(['export', '--to', file]);
      expect([code, err]).toEqual([1, expect.stringMatching(/differs from its checksum/)]);
      expect(readdirSync(folder)).toEqual(['rows.csv.unfinished']);
    } finally {
      globalThis.fetch = send;
    }
  });

  it('exports filtered rows to standard output', async () => {
    const { out } = await run(['export', '--forum', 'hostile', '--format', 'ndjson', '--to', '-']);
    expect((JSON.parse(out) as { title: string }).title).toBe(HOSTILE);
  });

  it('exports no row as an empty file', async () => {
    const file = join(folder, 'rows.ndjson');
    expect((await run(['export', 'nowhere', '--format', 'ndjson', '--to', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('starts a job, follows it and lists it', async () => {
    const args = ['jobs', 'start', 'technology', '--limit', '3', '--no-comments', '--wait'];
    const { code, out } = await run(args);
    expect([code, out.trim().split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/^job_\S+ {2}completed {2}technology {2}3 posts {2}0 comments$/),
    ]);
    const [job] = records<{ id: string }>(await run(['jobs', '--status', 'completed', '--json']));
    expect((await run(['jobs', 'show', job!.id])).out).toContain('completed');
    expect((await run(['watch', job!.id])).code).toBe(0);
    expect(await run(['jobs', 'cancel', job!.id])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/job_not_cancellable/),
    });
  });

  it('ends with 1 when the followed job fails', async () => {
    const { code, err } = await run(['jobs', 'start', 'no_such_forum', '--wait']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^wss: job_\S+ has failed: /)]);
  });

  it('creates, lists, pauses and resumes alerts', async () => {
    const created = await run([
      'alerts',
      'create',
      'Red',
      '--query',
      'title:red',
      '--email',
      'me@example.com',
      '--json',
    ]);
    const [{ id }] = records<{ id: string }>(created) as [{ id: string }];
    expect((await run(['alerts', 'pause', id])).out).toBe(`Paused ${id}\n`);
    expect((await run(['alerts'])).out).toMatch(new RegExp(`${id} +Red +paused +0 +email +title:red`));
    expect((await run(['alerts', 'resume', id])).code).toBe(0);
    expect(records(await run(['alerts', 'matches', '--alert', id, '--json']))).toEqual([]);
  });

  it('prints rows that are stored while it watches', async () => {
    const watching = run(['watch', '--forum', 'arrivals', '--every', '1', '--count', '2', '--json']);
    let number = 1_000;
    const timer = setInterval(() => {
      number += 1;
      void storePosts(service, workspace.workspaceId, [aPost(number, { forum: 'arrivals' })]);
    }, 500);
    const { code, out } = await watching;
    clearInterval(timer);
    expect([code, out.trim().split('\n')]).toEqual([
      0,
      [expect.stringContaining('"arrivals"'), expect.any(String)],
    ]);
  });

  it('completes commands, options and choices in bash', async () => {
    const { out } = await run(['completion', 'bash'], {});
    const completed = (...words: string[]): string[] => {
      const script = `${out}\nCOMP_WORDS=(wss ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _wss; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ');
    };
    expect(completed('se')).toEqual(['search']);
    expect(completed('jobs', 'st')).toEqual(['start']);
    expect(completed('search', '--sent')).toEqual(['--sentiment']);
    expect(completed('search', '--sentiment', 'p')).toEqual(['positive']);
    for (const shell of ['zsh', 'fish'])
      expect((await run(['completion', shell], {})).out).toContain(
        shell === 'zsh' ? 'bashcompinit' : 'complete -c wss',
      );
  });
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startBreakableApplication } from '../support/breakable-application.js';

const COMPOSE = resolve(import.meta.dirname, '../../../docker/compose.scale-out.yaml');
/** What PgBouncer accepts without `ignore_startup_parameters`. */
const ACCEPTED = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
];
/** Length and version of the protocol, before the parameters of a startup message. */
const HEADER_BYTES = 8;

/** Names of the parameters of a startup message: names and values in turn, each ended by a zero byte. */
const parametersOf = (message: Buffer): string[] =>
  message
    .toString('utf8', HEADER_BYTES)
    .split('\0')
    .filter((text, index) => index % 2 === 0 && text !== '');

const service = await startBreakableApplication();

describe('connections through PgBouncer', () => {
  it('send only settings that the PgBouncer of the compose file accepts or ignores', async () => {
    const workspace = await service.createWorkspace();
    for (const path of ['/jobs', '/posts?q=word', '/exports/posts?format=csv'])
      await (
        await fetch(service.url + workspace.path(path), { headers: { 'X-API-Key': workspace.apiKey } })
      ).arrayBuffer();
    const [, ignored] = /IGNORE_STARTUP_PARAMETERS: (\S+)/.exec(readFileSync(COMPOSE, 'utf8'))!;

    const sent = new Map(
      service.postgres.firstBytes.map((message) => [
        /application_name\0([^\0]*)/.exec(message.toString())?.[1],
        parametersOf(message),
      ]),
    );

    expect([...sent.keys()]).toEqual(expect.arrayContaining(['wss-search', 'wss-export']));
    const known = [...ACCEPTED, ...ignored!.split(',')];
    for (const [name, parameters] of sent)
      expect([name, parameters.filter((parameter) => !known.includes(parameter.toLowerCase()))]).toEqual([
        name,
        [],
      ]);
  });

  it('come from the logins of the owner and of requests', () => {
    const users = service.postgres.firstBytes.map(
      (message) => /\0user\0([^\0]*)/.exec(message.toString())?.[1],
    );
    const { DATABASE_URL, DATABASE_REQUEST_URL } = service.environment;
    const logins = [DATABASE_URL!, DATABASE_REQUEST_URL!].map((url) =>
      decodeURIComponent(new URL(url).username),
    );
    expect(new Set(logins).size).toBe(2);
    expect(users).toEqual(expect.arrayContaining(logins));
  });
});

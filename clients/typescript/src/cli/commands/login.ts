import { text } from 'node:stream/consumers';
import { dataOf } from '../../client.js';
import { type Command, noArguments, type Terminal, textOf, UsageError } from '../command.js';
import { clientOf, saveCredentials } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { printRecord, remark } from '../output.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const ENTER = new Set(['\r', '\n']);
const INTERRUPT = '\u0003';
const DELETE = new Set(['\u007f', '\b']);

/** `wss login`: checks and stores the address of a service and an API key. */
export const LOGIN: Command = {
  name: 'login',
  summary: 'Store the address of a service and an API key, which is read from standard input',
  usage: ['login --url ADDRESS', 'login --url ADDRESS < FILE_WITH_THE_KEY'],
  options: { url: { type: 'string', value: 'ADDRESS', help: 'Address of the service, or WSS_URL' } },
  async run(call) {
    const { terminal, positionals } = call;
    noArguments(positionals);
    const url = addressOf(textOf(call, 'url') ?? terminal.env.WSS_URL);
    if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
      await remark(
        call,
        'The API key will be sent without encryption. Use an address with https if there is one.',
      );
    const apiKey = (await readKey(terminal)).trim();
    if (apiKey === '') throw new UsageError('An API key is required on standard input');
    const credentials = { url: url.href.replace(/\/$/, ''), apiKey };
    const workspace = await dataOf(clientOf(credentials).api.GET('/api/v1/workspace'));
    const file = await saveCredentials(terminal.env, credentials);
    await printRecord(call, { ...workspace, credentials_file: file }, [
      `Signed in to ${workspace.name} with the scopes ${workspace.scopes.join(', ')}. The key is in ${file}.`,
    ]);
    return EXIT_CODES.success;
  },
};

function addressOf(given: string | undefined): URL {
  if (!given) throw new UsageError('--url is required, e.g. --url http://127.0.0.1:3000');
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be an address that begins with http:// or https://');
  return url;
}

/** The key that is piped in, or typed without an echo. */
function readKey({ stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY || stdin.setRawMode === undefined)
    return text(stdin as AsyncIterable<Buffer> & typeof stdin);
  stderr.write('API key: ');
  stdin.setRawMode(true);
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      stdin.removeListener('data', read);
      stdin.setRawMode!(false);
      stdin.pause();
      stderr.write('\n');
    };
    const read = (chunk: Buffer | string): void => {
      for (const character of chunk.toString()) {
        if (ENTER.has(character)) {
          end();
          return resolve(typed);
        }
        if (character === INTERRUPT) {
          end();
          return reject(new UsageError('Interrupted'));
        }
        typed = DELETE.has(character) ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on('data', read);
  });
}

import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ScrapingClient } from '../client.js';
import type { Terminal } from './command.js';
import { CredentialsError } from './failure.js';

/** The address of a service and an API key for it. */
export interface Credentials {
  url: string;
  apiKey: string;
}

type Environment = Terminal['env'];

/** Permission bits of the group and of others. */
const OTHERS = 0o077;

/** The file that keeps the credentials: `wss/credentials.json` in `XDG_CONFIG_HOME`, or else in `~/.config`. */
export const credentialsFile = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'wss/credentials.json');

/** A client with the credentials of the environment or the file. Throws {@link CredentialsError}. */
export async function connect({ env }: Terminal): Promise<ScrapingClient> {
  return clientOf(await readCredentials(env));
}

/** A client of the key's own workspace. */
export const clientOf = ({ url, apiKey }: Credentials): ScrapingClient =>
  new ScrapingClient({ baseUrl: url, apiKey, workspaceId: 'current' });

/**
 * `WSS_URL` and `WSS_API_KEY`, or else the file, which only its owner may read. The two variables count only together,
 * so that a stored key is not sent to another address. Throws {@link CredentialsError}.
 */
export async function readCredentials(env: Environment): Promise<Credentials> {
  const { WSS_URL: url, WSS_API_KEY: apiKey } = env;
  if (url && apiKey) return { url: url.replace(/\/$/, ''), apiKey };
  if (url || apiKey)
    throw new CredentialsError('Only one of WSS_URL and WSS_API_KEY is set', 'Set both, or neither.');
  const file = credentialsFile(env);
  const remedy = 'Sign in with an API key: wss login --url ADDRESS';
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new CredentialsError(`Other users may read ${file}`, `Run: chmod 600 ${file}`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CredentialsError('You are not signed in', remedy);
  }
  const stored = parsed(text);
  if (stored === null) throw new CredentialsError(`${file} is not a file of wss login`, remedy);
  return stored;
}

/** Writes the file so that only its owner may read it, and never half; returns its path. */
export async function saveCredentials(env: Environment, { url, apiKey }: Credentials): Promise<string> {
  const file = credentialsFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ url, api_key: apiKey })}\n`, { mode: 0o600 });
  await rename(unfinished, file);
  return file;
}

function parsed(text: string): Credentials | null {
  try {
    const { url, api_key: apiKey } = JSON.parse(text) as { url?: unknown; api_key?: unknown };
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : null;
  } catch {
    return null;
  }
}

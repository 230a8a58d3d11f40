import { createHash, randomBytes } from 'node:crypto';
import type { TestApplication } from './application.js';

export const CALLBACK = 'http://127.0.0.1:7777/callback';
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const unescaped = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot);/g, (one) => ENTITIES[one]!);

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  error?: string;
}

/** The cookie of a browser that signs in with a key. */
export async function cookieOf(service: TestApplication, apiKey: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  return answer.headers.get('set-cookie')!.split(';', 1)[0]!;
}

/** An assistant that asks for access by hand, and the browser of the person whom it asks. */
export class TestAssistant {
  readonly verifier = randomBytes(32).toString('base64url');
  clientId = '';

  constructor(
    readonly service: TestApplication,
    /** The address under which people reach the service. */
    readonly publicUrl = service.url,
  ) {}

  async register(metadata: object = { client_name: 'Test', redirect_uris: [CALLBACK] }): Promise<Response> {
    const answer = await fetch(`${this.service.url}/api/v1/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    const { client_id } = (await answer.clone().json()) as { client_id?: string };
    this.clientId = client_id ?? '';
    return answer;
  }

  get parameters(): Record<string, string> {
    return {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      state: 'a state',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read write',
      resource: `${this.publicUrl}/mcp`,
    };
  }

  /** The page on which the person decides. */
  ask(cookie: string | null, changed: Record<string, string> = {}): Promise<Response> {
    const url = new URL(`${this.service.url}/api/v1/oauth/authorize`);
    for (const [name, value] of Object.entries({ ...this.parameters, ...changed }))
      url.searchParams.set(name, value);
    return fetch(url, { redirect: 'manual', headers: cookie === null ? {} : { Cookie: cookie } });
  }

  /** Sends the form of a page as a browser does, with the workspace of the session unless another is chosen. */
  async decide(
    cookie: string,
    page: string,
    choice: Record<string, string>,
    origin = this.service.url,
  ): Promise<Response> {
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const [, workspace] = /<option value="([^"]+)" selected/.exec(page) ?? ['', ''];
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, unescaped(value!)]));
    return fetch(`${this.service.url}/api/v1/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: origin },
      body: new URLSearchParams({ ...fields, workspace, access: 'read', decision: 'allow', ...choice }),
    });
  }

  /** The code that the assistant gets when the person allows what it asks. */
  async codeFrom(cookie: string, choice: Record<string, string> = {}): Promise<string> {
    const page = await (await this.ask(cookie)).text();
    const { headers } = await this.decide(cookie, page, choice);
    return new URL(headers.get('location')!).searchParams.get('code')!;
  }

  token(form: Record<string, string>, endpoint: 'token' | 'revoke' = 'token'): Promise<Response> {
    return fetch(`${this.service.url}/api/v1/oauth/${endpoint}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.clientId, ...form }),
    });
  }

  exchange(code: string, changed: Record<string, string> = {}): Promise<Response> {
    const proof = {
      code_verifier: this.verifier,
      redirect_uri: CALLBACK,
      resource: `${this.publicUrl}/mcp`,
    };
    return this.token({ grant_type: 'authorization_code', code, ...proof, ...changed });
  }

  refresh(refreshToken: string, changed: Record<string, string> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changed });
  }

  revoke(token: string, changed: Record<string, string> = {}): Promise<Response> {
    return this.token({ token, ...changed }, 'revoke');
  }

  /** The tokens after the whole way. */
  async connect(cookie: string, choice: Record<string, string> = {}): Promise<Tokens> {
    if (this.clientId === '') await this.register();
    return (await (await this.exchange(await this.codeFrom(cookie, choice))).json()) as Tokens;
  }

  /** A call of the tools. */
  call(
    token: string | null,
    body: object = LIST_TOOLS,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${this.service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

import type { TestApplication } from './application.js';
import type { TestClient } from './identity-providers.js';

/** The client of the service at identity providers of tests. */
export const CLIENT: TestClient = {
  id: 'dashboard',
  secret: 'a secret of the dashboard',
  publicUrl: 'http://dashboard.example',
};
/** A browser that keeps cookies by host, so that a person can sign in with it. */
export class PersonBrowser {
  readonly cookies = new Map<string, Map<string, string>>();

  constructor(private readonly service: TestApplication) {}

  /** Follows redirects from a path of the service; returns the last path there. */
  async open(path: string): Promise<string> {
    let url = new URL(path, this.service.url);
    for (let step = 0; step < 10; step++) {
      const response = await this.request(url);
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
      url = new URL(location.replace(CLIENT.publicUrl, this.service.url), url);
      const isPage = url.origin === this.service.url && !url.pathname.startsWith('/api/');
      if (isPage) return url.pathname + url.search;
    }
    throw new Error('too many redirects');
  }

  async request(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = this.cookies.get(url.host) ?? new Map<string, string>();
    this.cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: this.service.url, 'content-type': 'application/json' };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }

  async api<T>(path: string, method = 'GET', body?: object): Promise<{ status: number; body: T }> {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await this.request(new URL(`/api/v1${path}`, this.service.url), init);
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
  }
}

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type Provider from 'oidc-provider';
import { closedAfterTests } from './opened.js';

/** A client of a test's identity provider. */
export interface TestClient {
  id: string;
  secret: string;
  /** The dashboard's address. */
  publicUrl: string;
}

/** The account that signs in at a test's identity provider. */
export interface TestAccount {
  email: string;
  /** Not stated when undefined. */
  isVerified: unknown;
  subject?: string;
  /** Claims of the ID token in place of those above, and the answer of userinfo; only of the plain provider. */
  divided?: { idToken: object; userInfo: object };
}

/** An identity provider on loopback, at which whoever comes is signed in as `account` without a question. */
export interface TestProvider {
  issuer: string;
  /** Claims of the account that signs in next; its subject is derived from `subject` or else the address. */
  account: TestAccount;
  close(): Promise<void>;
}

const subjectOf = ({ email, subject }: TestAccount): string => subject ?? `subject of ${email}`;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const closing = (server: Server) =>
  closedAfterTests(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );

/** The identity provider of the package `oidc-provider`, which keeps address and verification in its userinfo. */
export async function startCertifiedProvider({ id, secret, publicUrl }: TestClient): Promise<TestProvider> {
  // The package tells the console of each default of development that a test is content with.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  let listener: RequestListener = () => undefined;
  const server = createServer((request, response) => listener(request, response));
  const issuer = await listen(server);
  const started: TestProvider = {
    issuer,
    account: { email: 'nobody@example.org', isVerified: true },
    close: closing(server),
  };
  const { default: Issuer } = await import('oidc-provider');
  const provider: Provider = new Issuer(issuer, {
    clients: [
      {
        client_id: id,
        client_secret: secret,
        redirect_uris: [`${publicUrl}/api/v1/session/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: [randomUUID()] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => {
      const { email, isVerified } = started.account;
      return { accountId, claims: () => ({ sub: accountId, email, email_verified: isVerified }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  listener = (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void callback(request, response);
    const login = { accountId: subjectOf(started.account) };
    void provider.interactionFinished(request, response, { login });
  };
  return started;
}

/**
 * A small identity provider of another make: claims in the ID token, client secret in the body, keys that change;
 * userinfo and a sign-out only if they are asked for.
 */
export async function startPlainProvider(
  { id, secret }: TestClient,
  { hasUserInfo = false } = {},
): Promise<TestProvider & { rotate(): void }> {
  let key: { name: string; privateKey: KeyObject; publicKey: KeyObject };
  const rotate = (): void => {
    key = { name: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  };
  rotate();
  const codes = new Map<string, { nonce: string; challenge: string }>();
  let issuer = '';
  const started = { account: { email: 'nobody@example.org', isVerified: true } as TestAccount };

  const idToken = (nonce: string): string => {
    const now = Math.floor(Date.now() / 1_000);
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const { email, isVerified: email_verified, divided } = started.account;
    const claims = {
      iss: issuer,
      aud: id,
      sub: subjectOf(started.account),
      iat: now,
      exp: now + 60,
      nonce,
      ...(divided?.idToken ?? { email, email_verified }),
    };
    const signed = `${encode({ alg: 'RS256', kid: key.name })}.${encode(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.privateKey, 'base64url')}`;
  };
  const answers: Record<string, (url: URL, body: URLSearchParams) => object | string | null> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(hasUserInfo && { userinfo_endpoint: `${issuer}/userinfo`, end_session_endpoint: `${issuer}/end` }),
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/keys': () => ({
      keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.name, alg: 'RS256', use: 'sig' }],
    }),
    '/userinfo': () => ({ sub: subjectOf(started.account), ...started.account.divided?.userInfo }),
    '/authorize': ({ searchParams: asked }) => {
      const code = randomUUID();
      codes.set(code, { nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')! });
      return `${asked.get('redirect_uri')}?${new URLSearchParams({ code, state: asked.get('state')! }).toString()}`;
    },
    '/token': (_, body) => {
      const begun = codes.get(body.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url');
      if (
        begun?.challenge !== challenge ||
        body.get('client_id') !== id ||
        body.get('client_secret') !== secret
      )
        return null;
      codes.delete(body.get('code')!);
      return {
        access_token: randomUUID(),
        token_type: 'Bearer',
        expires_in: 60,
        id_token: idToken(begun.nonce),
      };
    },
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const url = new URL(request.url!, issuer);
      const answer = answers[url.pathname]?.(url, new URLSearchParams(text)) ?? null;
      if (typeof answer === 'string') return response.writeHead(302, { Location: answer }).end();
      const status = answer === null ? 400 : 200;
      const body = JSON.stringify(answer ?? { error: 'invalid_grant' });
      return response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
  });
  issuer = await listen(server);
  return Object.assign(started, { issuer, rotate, close: closing(server) });
}

import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { configuredFetch } from '../../infrastructure/outbound-http/configured-fetch.js';
import { API_PREFIX } from '../../http/request/paths.js';
import type { Person } from '../api-keys/members.repository.js';
import { areIncomplete, verifiedEmail } from './verified-email.js';

/** Timeout of each request to the identity provider. */
const TIMEOUT_SECONDS = 10;
/**
 * How long the metadata and keys of the identity provider are used. A key that it replaced without notice is refused
 * for no longer than this.
 */
const METADATA_MS = 60_000;

/** State that the browser keeps while a person signs in at the identity provider. */
export const signOnRequest = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});
export type SignOnRequest = z.output<typeof signOnRequest>;

/** Why a sign-in failed; the sign-in page has a sentence for each. */
export type SignOnFailure =
  'cancelled' | 'expired' | 'failed' | 'not_invited' | 'other_account' | 'suspended' | 'unverified';

/** A sign-in that failed. */
export class SignOnError extends Error {
  constructor(
    readonly reason: SignOnFailure,
    cause?: unknown,
  ) {
    super(`Sign-in ${reason}`, { cause });
  }
}

type Settings = Required<
  Pick<Environment, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'PUBLIC_URL'>
>;

/**
 * The operator's identity provider, by OpenID Connect: authorization code with PKCE, state and nonce, and signatures
 * checked against its current keys.
 */
@Injectable()
export class IdentityProvider {
  private known: { discovered: Promise<oidc.Configuration>; at: number } | null = null;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Partial<Settings>,
    private readonly clock: Clock,
  ) {}

  /** The issuer; null when the service has none. */
  get issuer(): string | null {
    return this.environment.OIDC_ISSUER ?? null;
  }

  /** The address to which a person is sent, and the state that the browser keeps until the callback. */
  async begin(returnTo: string): Promise<{ address: URL; request: SignOnRequest }> {
    const request = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      returnTo,
    };
    const address = oidc.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: this.callback.href,
      scope: 'openid email',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
    });
    return { address, request };
  }

  /** The person who signed in and the ID token, from the query of the callback. Throws {@link SignOnError}. */
  async complete(
    query: string,
    { state, nonce, verifier }: SignOnRequest,
  ): Promise<{ person: Person; idToken: string }> {
    const callback = new URL(this.callback);
    callback.search = query;
    try {
      const configuration = await this.configuration();
      const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      if (claims.sub === '') throw new SignOnError('failed', new Error('The ID token has an empty sub'));
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      // Some providers divide the two claims between ID token and userinfo.
      const userInfo =
        areIncomplete(claims) && hasUserInfo
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
      const email = verifiedEmail(claims, userInfo);
      if (email === null) throw new SignOnError('unverified');
      return { person: { subject: `${claims.iss} ${claims.sub}`, email }, idToken: tokens.id_token! };
    } catch (error) {
      if (error instanceof SignOnError) throw error;
      const isRefusal = error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied';
      throw new SignOnError(isRefusal ? 'cancelled' : 'failed', error);
    }
  }

  /**
   * The address that ends the session at the identity provider; that of the sign-in page where it has none. Some providers
   * need the ID token to know the session, others then do not ask the person.
   */
  async signOutAddress(idToken: string | null): Promise<URL> {
    const { PUBLIC_URL, OIDC_CLIENT_ID } = this.settings;
    const back = `${PUBLIC_URL}/`;
    const configuration = await this.configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return new URL(back);
    return oidc.buildEndSessionUrl(configuration, {
      client_id: OIDC_CLIENT_ID,
      post_logout_redirect_uri: back,
      ...(idToken !== null && { id_token_hint: idToken }),
    });
  }

  private get settings(): Settings {
    return this.environment as Settings;
  }

  private get callback(): URL {
    return new URL(`${this.settings.PUBLIC_URL}/${API_PREFIX}/session/oidc/callback`);
  }

  private configuration(): Promise<oidc.Configuration> {
    const now = this.clock.now().getTime();
    if (this.known === null || now - this.known.at > METADATA_MS) {
      const discovered = this.discover();
      discovered.catch(() => (this.known = null));
      this.known = { discovered, at: now };
    }
    return this.known.discovered;
  }

  private discover(): Promise<oidc.Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = this.settings;
    const issuer = new URL(OIDC_ISSUER);
    const insecure = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, authentication(OIDC_CLIENT_SECRET), {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: configuredFetch,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    });
  }
}

/** The secret in the header, which the specification makes the default, or in the body where only that is supported. */
function authentication(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, client, body, headers) =>
    (server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes('client_secret_basic')
      ? basic(server, client, body, headers)
      : post(server, client, body, headers);
}

import { Controller, HttpCode, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { Post } from '../../http/changes/change.decorators.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest } from '../../http/request/request.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { AssistantClients } from './assistant-clients.js';
import { AssistantGrantsService, type IssuedTokens } from './assistant-grants.service.js';
import { scopeText } from './authorization-request.js';
import { ACCESS_MS } from './grant-rules.js';
import { OAuthError } from './oauth-error.js';
import { readForm, readMetadata } from './oauth-requests.js';

const UNAUTHORIZED = 401;
const CLIENT = z.object({ client_id: z.string() });
const REVOCATION = z.object({ token: z.string() });
const EXCHANGE = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    code_verifier: z.string(),
    redirect_uri: z.string(),
    resource: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string(),
    resource: z.string().optional(),
  }),
]);

/**
 * Registers assistants (RFC 7591), gives those with a person's consent their tokens (RFC 6749, 4.1.3 and 6), and ends what
 * they give back (RFC 7009).
 */
@ApiExcludeController()
@Controller('oauth')
@Public()
export class TokenController {
  constructor(
    private readonly clients: AssistantClients,
    private readonly grants: AssistantGrantsService,
    private readonly limits: RequestLimits,
  ) {}

  @Post('register')
  @HttpCode(201)
  async register(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    await this.answer(request, response, async () => {
      await readMetadata(request, response);
      const { id, name, redirects } = this.clients.register(request.body);
      return {
        client_id: id,
        client_name: name,
        redirect_uris: redirects,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
    });
  }

  @Post('token')
  @HttpCode(200)
  async exchange(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    await this.answer(request, response, async () => {
      await readForm(request, response);
      const { access, refresh, scopes } = await this.tokensFor(request.body);
      return {
        access_token: access,
        token_type: 'Bearer',
        expires_in: ACCESS_MS / 1_000,
        refresh_token: refresh,
        scope: scopeText(scopes),
      };
    });
  }

  /** Succeeds for tokens that are unknown or have ended too, whatever their `token_type_hint`. */
  @Post('revoke')
  @HttpCode(200)
  async revoke(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    await this.answer(request, response, async () => {
      await readForm(request, response);
      const clientId = this.clientOf(request.body);
      const { data, error } = REVOCATION.safeParse(request.body);
      if (data === undefined) throw refusalOf(error);
      await this.grants.revoke(data.token, clientId);
      return {};
    });
  }

  private clientOf(form: unknown): string {
    const clientId = CLIENT.safeParse(form).data?.client_id;
    if (clientId === undefined || !this.clients.mayExist(clientId))
      throw new OAuthError('invalid_client', 'The client is not registered here.');
    return clientId;
  }

  private async tokensFor(form: unknown): Promise<IssuedTokens> {
    const clientId = this.clientOf(form);
    const { data: exchange, error } = EXCHANGE.safeParse(form);
    if (exchange === undefined) throw refusalOf(error);
    return exchange.grant_type === 'refresh_token'
      ? this.grants.refresh(exchange.refresh_token, clientId, exchange.resource)
      : this.grants.exchangeCode(exchange.code, {
          clientId,
          verifier: exchange.code_verifier,
          redirectUri: exchange.redirect_uri,
          resource: exchange.resource,
        });
  }

  /** Answers in the form of the protocol, whose errors are no problem documents. */
  private async answer(
    request: AuthenticatedRequest,
    response: Response,
    work: () => Promise<object>,
  ): Promise<void> {
    await this.limits.enforce(addressOf(request), response, 'This address');
    response.set('Cache-Control', 'no-store');
    try {
      response.json(await work());
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { code, description } = error;
      // Codes and tokens cannot be guessed; who tries is slowed down like one who tries keys.
      if (code === 'invalid_grant')
        await this.limits.countFailure(addressOf(request), { code, status: UNAUTHORIZED });
      response
        .status(code === 'invalid_client' ? UNAUTHORIZED : 400)
        .json({ error: code, error_description: description });
    }
  }
}

function refusalOf(error: z.ZodError): OAuthError {
  return error.issues.some(({ path }) => path[0] === 'grant_type')
    ? new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
    : new OAuthError(
        'invalid_request',
        `Missing or given twice: ${error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
      );
}

import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { parseId, publicId } from '../../common/ids.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Audited, Post } from '../../http/changes/change.decorators.js';
import { Problem } from '../../http/problems/problem.js';
import { leadTo } from '../../http/request/lead-to.js';
import { ownAddress } from '../../http/request/own-address.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest } from '../../http/request/request.js';
import { allows } from '../../http/request/scope.js';
import { readCookie, requireSameOrigin, SESSION_COOKIE } from '../../http/request/session-cookie.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { SignOnService } from '../sign-on/sign-on.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { AssistantClients } from './assistant-clients.js';
import { AssistantGrantsService } from './assistant-grants.service.js';
import {
  answerAddress,
  ASSISTANT_SCOPES,
  type AuthorizationRequest,
  parametersOf,
  type ReadRequest,
  readRequest,
} from './authorization-request.js';
import { type ChoosableWorkspace, consentPage, refusalPage, sendPage, signInPage } from './consent-page.js';
import { resourceAt } from './oauth-addresses.js';
import { readForm } from './oauth-requests.js';

/** Set in the address of the page when a browser opens it for the second time. */
const AGAIN = z.object({ again: z.literal('1') });
const DECISION = z.object({
  decision: z.enum(['allow', 'deny']),
  workspace: z.string(),
  access: z.enum(ASSISTANT_SCOPES),
});

/** A person with a session, and their memberships. */
interface SignedIn {
  cookie: string;
  current: ApiKey;
  memberships: ApiKey[];
}

/**
 * Where people give assistants access (RFC 6749, 4.1), on a page without scripts. Not part of the OpenAPI document:
 * the protocol of assistants describes it.
 */
@ApiExcludeController()
@Controller('oauth/authorize')
@Public()
export class AuthorizationController {
  constructor(
    private readonly clients: AssistantClients,
    private readonly grants: AssistantGrantsService,
    private readonly signOn: SignOnService,
    private readonly workspaces: WorkspacesService,
    private readonly limits: RequestLimits,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
  ) {}

  @Get()
  async ask(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    await this.limits.enforce(addressOf(request), response, 'This address');
    const parameters = parametersOf(request.query);
    const person = await this.person(request);
    if (person === null)
      return sendPage(response, 200, signInPage(parameters, !AGAIN.safeParse(request.query).success));
    const read = await this.read(request, request.query);
    if (!('request' in read)) return this.refuse(request, response, read);
    const choosable = await this.choosable(person);
    sendPage(response, 200, consentPage(read.request, choosable, parameters), read.request.redirectUri);
  }

  @Post()
  @Audited()
  async grantAssistant(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    requireSameOrigin(request);
    await this.limits.enforce(addressOf(request), response, 'This address');
    await readForm(request, response);
    const person = await this.person(request);
    if (person === null) throw new Problem('invalid_session', 'The session has ended. Sign in again.');
    const read = await this.read(request, request.body);
    const decision = DECISION.safeParse(request.body).data;
    if (!('request' in read) || decision === undefined) {
      request.isRejected = true;
      return this.refuse(
        request,
        response,
        'request' in read ? { unanswerable: 'The form is not complete.' } : read,
      );
    }
    const answer =
      decision.decision === 'allow'
        ? { code: await this.allow(request, person, read.request, decision) }
        : this.deny(request);
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    leadTo(response, answerAddress(read.request, this.own(request), answer), 303);
  }

  /** Gives the right that the person chose, of those that they have in the workspace; returns the code. Throws 401, 403 and 404. */
  private async allow(
    request: AuthenticatedRequest,
    { cookie }: SignedIn,
    asked: AuthorizationRequest,
    { workspace, access }: z.infer<typeof DECISION>,
  ): Promise<string> {
    const membership = await this.limits.limitFailures(addressOf(request), () =>
      this.signOn.membershipIn(parseId('workspace', workspace), cookie),
    );
    const isWrite = access === 'write' && asked.scope === 'write' && widestOf(membership) === 'write';
    const code = await this.grants.begin(asked, membership, [isWrite ? 'write' : 'read'], addressOf(request));
    request.signedIn = membership;
    request.noted = { before: null, after: { name: asked.client.name } };
    return code;
  }

  private deny(request: AuthenticatedRequest): { error: string } {
    request.isRejected = true;
    return { error: 'access_denied' };
  }

  private read(request: AuthenticatedRequest, parameters: unknown): Promise<ReadRequest> {
    return readRequest(parameters, (id) => this.clients.find(id), resourceAt(this.own(request)));
  }

  private refuse(
    request: AuthenticatedRequest,
    response: Response,
    read: Exclude<ReadRequest, { request: unknown }>,
  ): void {
    if ('unanswerable' in read) return sendPage(response, 400, refusalPage(read.unanswerable, null));
    const { answerTo, error, description } = read;
    const address = answerAddress(answerTo, this.own(request), { error, error_description: description });
    sendPage(response, 400, refusalPage(description, { to: answerTo, address }));
  }

  /**
   * The person who is signed in; null without a session. Documents of clients are fetched only for such a person, so that
   * strangers cannot make this service send requests.
   */
  private async person(request: AuthenticatedRequest): Promise<SignedIn | null> {
    const cookie = readCookie(request, SESSION_COOKIE);
    if (cookie === null) return null;
    const found = await this.limits
      .limitFailures(addressOf(request), () => this.signOn.ofSession(cookie))
      .catch(unlessEnded);
    return found === null ? null : { ...found, cookie };
  }

  private choosable({ memberships, current }: SignedIn): Promise<ChoosableWorkspace[]> {
    const names = memberships.map(async (one) => ({
      id: publicId('workspace', one.workspaceId),
      name: (await this.workspaces.get(one.workspaceId)).name,
      widest: widestOf(one),
      isCurrent: one.workspaceId === current.workspaceId,
    }));
    return Promise.all(names);
  }

  private own(request: AuthenticatedRequest): string {
    return ownAddress(request, this.environment.PUBLIC_URL);
  }
}

const widestOf = ({ scopes }: ApiKey): ChoosableWorkspace['widest'] =>
  allows(scopes, 'write') ? 'write' : 'read';

function unlessEnded(error: unknown): null {
  if (error instanceof Problem && error.status === 401) return null;
  throw error;
}

import { z } from 'zod';
import { allows, type Scope } from '../../http/request/scope.js';
import type { AssistantClient } from './assistant-client.js';
import type { FoundClient } from './client-documents.js';
import { type OAuthErrorCode } from './oauth-error.js';
import { isRegistered } from './redirect-uri.js';

/** The rights that a person can give to an assistant, ascending. Tools need no other. */
export const ASSISTANT_SCOPES = ['read', 'write'] as const satisfies readonly Scope[];
export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

const MAX_STATE_LENGTH = 1_000;
/** A SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

const CLIENT = z.object({ client_id: z.string().max(4_000), redirect_uri: z.string() });
const REST = z.object({
  response_type: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  scope: z.string().max(500).optional(),
  state: z.string().max(MAX_STATE_LENGTH).optional(),
  resource: z.string().optional(),
});

const PARAMETERS = [...Object.keys(CLIENT.shape), ...Object.keys(REST.shape)];

/** The parameters of a request that a page passes on. */
export const parametersOf = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    PARAMETERS.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
  );

/** Where the answer to a request goes. */
export interface AnswerTo {
  client: AssistantClient;
  redirectUri: string;
  state: string | undefined;
}

/** A request of an assistant for access, which the person may grant. */
export interface AuthorizationRequest extends AnswerTo {
  challenge: string;
  /** The widest right that was asked for. */
  scope: AssistantScope;
  resource: string;
}

/** The parameters of a request, read. A request of an unknown client, or to an unknown address, has no answer. */
export type ReadRequest =
  | { request: AuthorizationRequest }
  | { answerTo: AnswerTo; error: OAuthErrorCode; description: string }
  | { unanswerable: string };

/** Reads the parameters of a request for access to the resource at `own`. */
export async function readRequest(
  parameters: unknown,
  findClient: (id: string) => Promise<FoundClient>,
  own: string,
): Promise<ReadRequest> {
  const identified = CLIENT.safeParse(parameters).data;
  if (identified === undefined) return { unanswerable: 'client_id or redirect_uri is missing or too long.' };
  const client = await findClient(identified.client_id);
  if (typeof client === 'string') return { unanswerable: client };
  if (!isRegistered(identified.redirect_uri, client.redirects))
    return {
      unanswerable: 'The assistant asks to send the answer to an address that it has not registered.',
    };
  const rest = REST.safeParse(parameters).data;
  const answerTo = { client, redirectUri: identified.redirect_uri, state: rest?.state };
  if (rest === undefined)
    return { answerTo, error: 'invalid_request', description: 'A parameter is too long or given twice.' };
  const refusal = refusalOf(rest, own);
  if (refusal !== null) return { answerTo, ...refusal };
  return {
    request: { ...answerTo, challenge: rest.code_challenge!, scope: widestOf(rest.scope), resource: own },
  };
}

function refusalOf(
  rest: z.infer<typeof REST>,
  own: string,
): { error: OAuthErrorCode; description: string } | null {
  if (rest.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code.' };
  if (rest.code_challenge_method !== 'S256' || !CHALLENGE.test(rest.code_challenge ?? ''))
    return { error: 'invalid_request', description: 'A code_challenge with the method S256 is required.' };
  if (!isResource(rest.resource, own))
    return { error: 'invalid_target', description: `resource must be ${own}.` };
  return null;
}

/** Whether a client means this resource; without a resource there is no other that it could mean. */
export const isResource = (named: string | undefined, own: string): boolean =>
  named === undefined || named === own;

/** The widest known right in a list; names that are not known are ignored (RFC 6749, 3.3). */
function widestOf(list: string | undefined): AssistantScope {
  const names = (list ?? '').split(' ');
  return ASSISTANT_SCOPES.findLast((scope) => names.includes(scope)) ?? 'read';
}

/** The rights, as the protocol lists them: each includes the ones before it. */
export const scopeText = (scopes: readonly Scope[]): string =>
  ASSISTANT_SCOPES.filter((scope) => allows(scopes, scope)).join(' ');

/** The address that leads the browser back to the assistant, with the answer (RFC 6749 and 9207). */
export function answerAddress(
  { redirectUri, state }: AnswerTo,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({
    ...answer,
    ...(state !== undefined && { state }),
    iss: issuer,
  }))
    url.searchParams.set(name, value);
  return url.href;
}

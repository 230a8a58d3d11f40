import type { Request } from 'express';
import { ownAddress } from '../../http/request/own-address.js';
import { API_PREFIX } from '../../http/request/paths.js';
import { ASSISTANT_SCOPES } from './authorization-request.js';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The address of the tools, which tokens are for. */
export const resourceAt = (own: string): string => `${own}/mcp`;

/** What a program without a valid token needs to get one (RFC 9728, 5.1). */
export const challengeFor = (request: Request, publicUrl: string | undefined): string =>
  `Bearer ${request.headers.authorization === undefined ? '' : 'error="invalid_token", '}resource_metadata="${ownAddress(request, publicUrl)}${RESOURCE_METADATA}/mcp"`;

/** The tools as a protected resource (RFC 9728). */
export const resourceMetadata = (own: string): object => ({
  resource: resourceAt(own),
  resource_name: 'Workspace Scraping Service',
  authorization_servers: [own],
  scopes_supported: ASSISTANT_SCOPES,
  bearer_methods_supported: ['header'],
});

/** This service as the server that authorizes assistants (RFC 8414). */
export const serverMetadata = (own: string): object => ({
  issuer: own,
  authorization_endpoint: `${own}/${API_PREFIX}/oauth/authorize`,
  token_endpoint: `${own}/${API_PREFIX}/oauth/token`,
  registration_endpoint: `${own}/${API_PREFIX}/oauth/register`,
  revocation_endpoint: `${own}/${API_PREFIX}/oauth/revoke`,
  scopes_supported: ASSISTANT_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

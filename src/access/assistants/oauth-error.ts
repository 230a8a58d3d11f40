/** Codes of errors of the authorization server that clients of assistants understand (RFC 6749, 7591 and 8707). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** A refusal, in the form that the protocol prescribes instead of a problem document. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    /** For developers of the client. */
    readonly description: string,
  ) {
    super(description);
  }
}

/**
 * Why a request ended without a usable response. `aborted`: by the caller's signal; `bad_answer`: not HTTP, or not in its
 * `Content-Encoding`; `sink_failed`: the target stream of a download failed.
 */
export type OutboundErrorCode =
  | 'invalid_url'
  | 'address_refused'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'aborted'
  | 'reset'
  | 'bad_answer'
  | 'too_large'
  | 'too_many_redirects'
  | 'sink_failed';

/** The error of an outbound request. Its message can be shown in delivery logs; it never contains secrets of a URL. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

const DNS_CODES = /^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT)$/;
const CONNECT_CODES =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT|EADDRNOTAVAIL|EINVAL|EACCES)$/;
const RESET_CODES = /^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/;
/** Codes of zlib, for gzip and deflate and for Brotli. */
const DECODING_CODES = /^(Z_\w+|ERR_(_ERROR_|BROTLI_)\w+)$/;
const TLS_CODES =
  /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|EPROTO|HOSTNAME_MISMATCH)$/;

/** Converts a socket, resolver, TLS or parser error. Unknown errors become `connect_failed`. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const nested = error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined;
  if (nested instanceof OutboundError) return nested;
  const code = codeOf(error) ?? codeOf(nested) ?? '';
  const failure = (kind: OutboundErrorCode, sentence: string): OutboundError =>
    new OutboundError(kind, code === '' ? sentence : `${sentence} (${code})`, { cause: error });
  if (DNS_CODES.test(code)) return failure('dns_failed', 'The host name could not be resolved');
  if (TLS_CODES.test(code)) return failure('tls_failed', 'The TLS connection could not be established');
  if (RESET_CODES.test(code))
    return failure('reset', 'The connection was closed before the response was complete');
  if (code.startsWith('HPE_')) return failure('bad_answer', 'The response was not valid HTTP');
  if (DECODING_CODES.test(code)) return failure('bad_answer', 'The response was not in its Content-Encoding');
  if (CONNECT_CODES.test(code)) return failure('connect_failed', 'The connection could not be opened');
  return failure('connect_failed', 'The request failed');
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** A route's response; the server adds latency, faults and budget headers before sending it. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A request beyond its path and parameters. */
export interface RequestFacts {
  /** Origin and base of the routes' addresses. */
  base: string;
  authorization: string | undefined;
  body: string;
}

/** `hang` never sends a response. */
export type Outcome = Answer | 'hang';

/** A JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** A response with status 200 whose body is JSON text already. */
export const jsonText = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body,
});

/** An HTML page with a title and one paragraph. */
export function page(
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
): Answer {
  const body = `<!doctype html>\n<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1>\n<p>${text}</p>\n</body>\n</html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...headers }, body };
}

/** The API's 404. */
export const notFound = (): Answer => json(404, { message: 'Not Found', error: 404 });
/** The API's 400. */
export const badRequest = (): Answer => json(400, { message: 'Bad Request', error: 400 });
/** The API's 401 for a missing, unknown or expired token. */
export const unauthorized = (): Answer =>
  json(
    401,
    { message: 'Unauthorized', error: 401 },
    { 'www-authenticate': 'Bearer realm="sandbox", error="invalid_token"' },
  );

/** The HTML page that refuses automated clients, status 403. */
export const blockPage = (): Answer =>
  page(
    403,
    'Blocked',
    "You've been blocked by network security. To continue, log in or use your developer token.",
  );

/** The HTML page with status 429 and `Retry-After`. */
export const tooManyRequests = (retryAfterSeconds: number): Answer =>
  page(
    429,
    'Too Many Requests',
    `we've seen too many requests from you lately. please wait ${retryAfterSeconds} second(s) and try again.`,
    {
      'retry-after': String(retryAfterSeconds),
    },
  );

/** The HTML page of a failing server or CDN. */
export const unavailable = (status: 500 | 503): Answer =>
  page(
    status,
    status === 500 ? 'Internal Server Error' : 'Our CDN was unable to reach our servers',
    'Please try again in a moment.',
  );

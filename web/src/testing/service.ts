/** A request that a page sent. */
export interface Sent {
  /** Method and path below the workspace, e.g. `POST /alerts`. */
  operation: string;
  query: string;
  body: unknown;
  idempotencyKey: string | null;
}

/** The requests so far, oldest first. */
export const sent: Sent[] = [];

type Answer = (body: unknown) => Promise<[status: number, body: unknown]> | [status: number, body: unknown];
const answers = new Map<string, Answer>();

/** Answers an operation from now on; without an answer it is refused with 404. */
export const answer = (operation: string, respond: Answer): void => void answers.set(operation, respond);

/** A refusal of fields in the format of the service. */
export const refusal = (...errors: { field: string; message: string }[]): [400, unknown] => [
  400,
  { code: 'validation_failed', detail: 'These fields are not valid', errors },
];

/** Forgets the requests and the answers. */
export function resetService(): void {
  sent.length = 0;
  answers.clear();
}

// Set as soon as this module is loaded: the client keeps the function that it finds when it is loaded, later.
globalThis.fetch = async (input) => {
  const request = new Request(input);
  const { pathname, search: query } = new URL(request.url);
  const operation = `${request.method} ${pathname.replace(/^\/api\/v1(\/workspaces\/\w+)?/, '')}`;
  const text = await request.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  sent.push({ operation, query, body, idempotencyKey: request.headers.get('idempotency-key') });
  const [status, answered] = (await answers.get(operation)?.(body)) ?? [
    404,
    { code: 'not_found', detail: '' },
  ];
  return new Response(JSON.stringify(answered), { status, headers: { 'content-type': 'application/json' } });
};

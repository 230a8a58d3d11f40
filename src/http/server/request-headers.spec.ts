import type { IncomingMessage, ServerResponse } from 'node:http';
import { assignRequestId, nameProcess } from './request-headers.js';

/** Returns the id that a request with this header gets, in the request and in its response header. */
function idsOf(header: string | string[]): unknown[] {
  const request = { headers: { 'x-request-id': header } } as unknown as IncomingMessage & { id?: unknown };
  const sent: unknown[] = [];
  const response = { setHeader: (...given: unknown[]) => sent.push(...given) } as unknown as ServerResponse;
  assignRequestId(request, response, () => undefined);
  return [request.id, ...sent];
}

describe('the id of a request', () => {
  it('is that of the client when it has up to 128 plain characters', () => {
    const id = 'a'.repeat(128);
    expect(idsOf(id)).toEqual([id, 'X-Request-Id', id]);
  });

  it.each([
    ['a longer one', 'a'.repeat(129)],
    ['one with a line break', 'a\nb'],
    ['an empty one', ''],
    ['several', ['a', 'b']],
  ])('is a new one instead of %s', (_what, header) => {
    const [id, , sent] = idsOf(header);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent).toBe(id);
  });
});

describe('the name of a process', () => {
  it('is in every response, and the same in all of them', () => {
    const sent: string[][] = [];
    const response = { setHeader: (...given: string[]) => sent.push(given) } as unknown as ServerResponse;
    for (let request = 0; request < 2; request += 1)
      nameProcess({} as IncomingMessage, response, () => undefined);
    expect(sent[0]).toEqual(['X-Served-By', expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(sent[1]).toEqual(sent[0]);
  });
});

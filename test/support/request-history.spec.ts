import { historyViolations, type Observation, RequestHistory, streamViolations } from './request-history.js';

const at = (began: number, ended: number, client = 'a') => ({ client, began, ended, list: 'posts' });
const total = (began: number, ended: number, value: number): Observation => ({
  ...at(began, ended),
  kind: 'total',
  total: value,
});
const change = (kind: 'write' | 'deletion', began: number, ended: number, key = 'x'): Observation => ({
  ...at(began, ended),
  kind,
  key,
});
const read = (began: number, ended: number, isFound: boolean, client = 'a'): Observation => ({
  ...at(began, ended, client),
  kind: 'read',
  key: 'x',
  isFound,
});

describe('historyViolations', () => {
  it.each<[string, Observation[]]>([
    ['the total went from 5 back to 4', [total(0, 1, 5), total(2, 3, 4)]],
    ['the total went from 5 back to 4', [total(0, 1, 5), total(0, 4, 3), total(2, 3, 4)]],
    ['the total went from 5 back to 3', [total(0, 1, 5), change('deletion', 1, 2), total(2, 3, 3)]],
    ['the total went from 5 back to 4', [change('deletion', 0, 1), total(2, 3, 5), total(4, 5, 4)]],
    ['the total went from 5 back to 4', [total(0, 1, 5), total(2, 3, 4), change('deletion', 4, 5)]],
    ['a does not find its x', [change('write', 0, 1), read(2, 3, false)]],
    ['a does not find its x', [change('write', 0, 1), change('deletion', 0, 1, 'y'), read(2, 3, false)]],
    ['a does not find its x', [change('write', 0, 1), read(2, 3, false), change('deletion', 4, 5)]],
  ])('finds: %s', (sentence, observations) => {
    expect(historyViolations(observations)).toEqual([`posts: ${sentence}`]);
  });

  it.each<[string, Observation[]]>([
    ['totals that grow or stay', [total(0, 1, 4), total(2, 3, 4), total(4, 5, 6)]],
    ['totals of requests that overlap', [total(0, 2, 5), total(1, 3, 4)]],
    ['totals of other lists', [total(0, 1, 5), { ...total(2, 3, 4), list: 'comments' }]],
    ['a total after a deletion', [total(0, 1, 5), change('deletion', 1, 2), total(3, 4, 4)]],
    ['a deletion that may have happened before', [total(1, 3, 5), change('deletion', 0, 2), total(4, 5, 4)]],
    ['a read beside the write', [change('write', 0, 2), read(1, 3, false)]],
    ['a read by another client', [change('write', 0, 1), read(2, 3, false, 'b')]],
    ['a read that finds', [change('write', 0, 1), read(2, 3, true)]],
    ['a read after a deletion', [change('write', 0, 1), change('deletion', 2, 3), read(4, 5, false)]],
  ])('allows %s', (_what, observations) => {
    expect(historyViolations(observations)).toEqual([]);
  });
});

describe('streamViolations', () => {
  it('compares what a stream sent with what is stored', () => {
    expect(streamViolations({ name: 's', sent: ['b', 'a'], stored: ['a', 'b'] })).toEqual([]);
    expect(streamViolations({ name: 's', sent: ['a', 'b', 'a', 'z'], stored: ['a', 'b', 'c'] })).toEqual([
      's: a was sent again',
      's: c is stored and was not sent',
      's: z was sent and is not stored',
    ]);
  });
});

describe('RequestHistory', () => {
  it('keeps what answers show, and when', async () => {
    const history = new RequestHistory();
    const answer = await history.observe(
      'a',
      () => Promise.resolve(7),
      (value) => ({ kind: 'total', list: 'posts', total: value }),
    );
    await history.observe(
      'a',
      () => Promise.resolve(8),
      () => null,
    );
    expect([answer, history.observations]).toEqual([
      7,
      [
        {
          client: 'a',
          kind: 'total',
          list: 'posts',
          total: 7,
          began: expect.any(Number),
          ended: expect.any(Number),
        },
      ],
    ]);
    expect(history.observations[0]!.began).toBeLessThanOrEqual(history.observations[0]!.ended);
  });
});

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { type Problem } from '../../http/problem.js';
import { ClientGoneError } from '../../http/request-scope.js';
import { RequestTurns } from './request-turns.js';

describe('RequestTurns', () => {
  let turns: RequestTurns;
  /** The requests that have their turn, in order. */
  let begun: string[];
  const responses = new Map<string, EventEmitter & { destroyed: boolean }>();

  beforeEach(() => {
    jest.useFakeTimers();
    turns = new RequestTurns();
    begun = [];
    responses.clear();
  });
  afterEach(() => jest.useRealTimers());

  /** Sends requests of a workspace, named after it; resolves when all that have a turn have begun. */
  const send = async (workspaceId: string, count: number): Promise<void> => {
    for (let number = 1; number <= count; number += 1) {
      const name = `${workspaceId}${number}`;
      const response = Object.assign(new EventEmitter(), { destroyed: false });
      responses.set(name, response);
      void turns.enter(workspaceId, response as unknown as ServerResponse).then(() => begun.push(name));
    }
    await settled();
  };
  const answer = async (name: string): Promise<void> => {
    responses.get(name)!.emit('close');
    await settled();
  };
  const settled = () => jest.advanceTimersByTimeAsync(0);

  it('gives all places to a workspace that is alone, half to another one at once, and all again later', async () => {
    await send('a', 100);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
    await send('b', 2);
    expect(begun.slice(4)).toEqual(['b1', 'b2']);
    for (const name of ['a1', 'a2', 'a3', 'a4']) await answer(name);
    expect(begun.slice(6)).toEqual(['a5', 'a6']);
    for (const name of ['b1', 'b2']) await answer(name);
    expect(begun.slice(8)).toEqual(['a7', 'a8']);
  });

  it.each([
    ['ab', 'aabb'],
    ['abc', 'abc'],
    ['abcd', 'abcd'],
    ['abcde', 'abcde'],
    ['abcdefghijklmnopqr', 'abcdefghijklmnop'],
  ])('shares the places among the workspaces %s: %s', async (workspaces, expected) => {
    for (const name of workspaces) await send(name, 1);
    for (const name of workspaces) await send(name, 9);
    expect(
      begun
        .map((name) => name[0])
        .sort()
        .join(''),
    ).toBe(expected);
  });

  it('ends the turn of a request that takes long, and frees its place once', async () => {
    await send('a', 8);
    await jest.advanceTimersByTimeAsync(49);
    expect(begun).toHaveLength(4);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(8);
    await send('a', 1);
    await answer('a2');
    expect(begun).toHaveLength(8);
  });

  it('passes the turn of a client on that disconnected while it waited', async () => {
    await send('a', 4);
    const gone = Object.assign(new EventEmitter(), { destroyed: true });
    const waiting = turns.enter('a', gone as unknown as ServerResponse);
    const refused = expect(waiting).rejects.toBeInstanceOf(ClientGoneError);
    const next = Object.assign(new EventEmitter(), { destroyed: false });
    void turns.enter('a', next as unknown as ServerResponse).then(() => begun.push('next'));
    await answer('a1');
    await refused;
    expect(begun.slice(4)).toEqual(['next']);
  });

  it('refuses requests beyond a thousand that wait, with the time after which to retry', async () => {
    await send('a', 1_004);
    const refused = turns.enter('a', new EventEmitter() as ServerResponse);
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      extra: { headers: { 'Retry-After': '1' } },
    } satisfies { code: Problem['code']; extra: Problem['extra'] });
  });
});

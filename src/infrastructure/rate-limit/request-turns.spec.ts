import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { type Problem } from '../../http/problems/problem.js';
import { ClientGoneError } from '../../http/request/request-scope.js';
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

  /** Sends so many requests of a workspace, one after another, that it counts as busy. */
  const makeBusy = async (workspaceId: string, count = 20): Promise<void> => {
    for (let number = 1; number <= count; number += 1) {
      await send(workspaceId, 1);
      await answer(`${workspaceId}1`);
    }
    begun = [];
  };
  const secondsLater = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1_000);

  it('gives each workspace that is not busy four places', async () => {
    await send('a', 9);
    await send('b', 9);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']);
    await answer('a1');
    expect(begun.slice(8)).toEqual(['a5']);
  });

  it('gives all workspaces together sixteen places', async () => {
    for (const name of 'abcdefghijklmnopqr') await send(name, 1);
    expect(begun).toHaveLength(16);
  });

  it('lets busy workspaces share one place in turns while another one sends requests', async () => {
    await makeBusy('a');
    await makeBusy('b');
    await send('a', 3);
    await send('b', 3);
    await send('c', 5);
    expect(begun).toEqual(['a1', 'c1', 'c2', 'c3', 'c4']);
    for (const name of ['a1', 'a2', 'b1']) await answer(name);
    expect(begun.slice(5)).toEqual(['a2', 'b1', 'a3']);
  });

  it("lets busy workspaces share four places a second after another's request", async () => {
    await makeBusy('a', 100);
    await makeBusy('b', 100);
    await send('c', 1);
    await secondsLater(0.98);
    await send('a', 10);
    await send('b', 10);
    expect(begun).toEqual(['c1', 'a1']);
    await secondsLater(0.02);
    await send('b', 1);
    expect(begun.slice(2)).toEqual(['a2', 'b1', 'a3']);
  });

  it('counts a workspace as busy above twenty requests and ten a second', async () => {
    await makeBusy('a');
    await secondsLater(0.2);
    await send('a', 4);
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('no longer counts a workspace as busy ten seconds after its last request', async () => {
    await makeBusy('a', 400);
    await secondsLater(9.8);
    await send('b', 1);
    await send('a', 2);
    expect(begun).toEqual(['b1', 'a1']);
    await secondsLater(10.1);
    await send('b', 1);
    await send('a', 2);
    expect(begun.slice(-3)).toEqual(['b1', 'a1', 'a2']);
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
    await makeBusy('a');
    await send('a', 1_001);
    const refused = turns.enter('a', new EventEmitter() as ServerResponse);
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      extra: { headers: { 'Retry-After': '1' } },
    } satisfies { code: Problem['code']; extra: Problem['extra'] });
  });
});

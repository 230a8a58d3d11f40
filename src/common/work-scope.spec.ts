import type { ServerResponse } from 'node:http';
import {
  acrossWorkspaces,
  enterWorkspace,
  openWorkScope,
  presentResponse,
  presentWorkspace,
  withinWorkspace,
} from './work-scope.js';

const RESPONSE = {} as ServerResponse;
const present = () => [presentWorkspace(), presentResponse()];

/** What `work` returns within the scope of a request. */
function inRequest<T>(work: () => T): T {
  let result: T;
  openWorkScope(() => (result = work()), RESPONSE);
  return result!;
}

describe('the scope of a request', () => {
  it('has its workspace from when it is entered on, also in work that began before', async () => {
    const seen = await inRequest(async () => {
      const later = Promise.resolve().then(present);
      const before = present();
      enterWorkspace('w');
      return [before, await later];
    });
    expect(seen).toEqual([
      [undefined, RESPONSE],
      ['w', RESPONSE],
    ]);
  });

  it('keeps its response in work for one workspace', () => {
    expect(inRequest(() => withinWorkspace('w', present))).toEqual(['w', RESPONSE]);
  });

  it('is left by work across workspaces', () => {
    const left = inRequest(() => {
      enterWorkspace('w');
      return acrossWorkspaces(present);
    });
    expect(left).toEqual([undefined, undefined]);
  });

  it('does not exist outside', () => {
    enterWorkspace('w');
    expect(present()).toEqual([undefined, undefined]);
  });
});

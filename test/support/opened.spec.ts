import { closedAfterTests, closeOpened } from './opened.js';

describe('a resource of a test file', () => {
  it('is closed once, the newest first', async () => {
    const closed: string[] = [];
    const open = (name: string) => closedAfterTests(() => Promise.resolve(closed.push(name)));
    open('database');
    const closeServer = open('server');
    open('client');
    await closeServer();
    await closeServer();
    await closeOpened();
    await closeOpened();
    expect(closed).toEqual(['server', 'client', 'database']);
  });
});

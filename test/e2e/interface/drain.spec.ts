import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { startTestApplication } from '../../support/application.js';

const MAIN = join(import.meta.dirname, '../../../src/main.js');

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('a process that gets SIGTERM', () => {
  let child: ChildProcess;
  let url: string;

  beforeEach(async () => {
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = service.environment;
    child = fork(MAIN, {
      env: {
        ...process.env,
        DATABASE_URL,
        REDIS_URL,
        DATA_DIR,
        ROLES: 'api',
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'silent',
      },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [message] = (await once(child, 'message')) as [{ listening: string }];
    url = message.listening;
  });
  afterEach(() => child.kill('SIGKILL'));

  it('ends event streams and idle connections, and exits', async () => {
    const headers = { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' };
    const created = await fetch(url + workspace.path('/jobs'), {
      method: 'POST',
      headers,
      body: '{"target":"technology"}',
    });
    const { id } = (await created.json()) as { id: string };
    const stream = await fetch(url + workspace.path(`/jobs/${id}/events`), { headers });
    expect(stream.status).toBe(200);
    // An idle connection that the client would keep open forever.
    const agent = new Agent({ keepAlive: true });
    const probe = await readiness(agent);
    expect([probe.statusCode, probe.headers.connection]).toEqual([200, 'keep-alive']);

    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    let last = probe;
    for (let attempt = 0; attempt < 100 && last.statusCode === 200; attempt += 1)
      last = await readiness(agent);
    expect([last.statusCode, last.headers.connection]).toEqual([503, 'close']);
    await stream.text();
    // While the client still keeps its idle connection.
    await exited;
    agent.destroy();
  });

  async function readiness(agent: Agent): Promise<IncomingMessage> {
    const [response] = (await once(get(`${url}/health/ready`, { agent }), 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  }
});

import pg from 'pg';
import { createApplication } from '../../../src/application.js';
import { type OperatorTools, withOperatorTools } from '../../../src/cli/operator-context.js';
import { parseEnvironment } from '../../../src/config/environment.js';
import { migrate } from '../../../src/database/run-migrations.js';
import { BenchApi } from './api.js';
import { scrapingVariables } from './jobs.js';
import { startPlatform } from './platform.js';
import { fillPosts } from './rows.js';
import { benchServers } from './servers.js';
import { ServiceProcess } from './service-process.js';

/** The service in this process. */
export type Application = Awaited<ReturnType<typeof createApplication>>;

/** Migrated servers of one benchmark, and what it starts on them. */
export class Bench {
  private readonly endings: (() => unknown)[] = [];

  private constructor(
    readonly databaseUrl: string,
    readonly redisUrl: string,
    /** Folder of the servers, of the key that encrypts secrets, and of files. */
    readonly dataDir: string,
  ) {}

  /** Runs a benchmark; then ends what it has started, the last first. */
  static async run<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
    const { databaseUrl, redisUrl, dataDir } = await benchServers();
    await migrate(databaseUrl);
    const bench = new Bench(databaseUrl, redisUrl, dataDir);
    try {
      return await work(bench);
    } finally {
      for (const end of bench.endings.reverse()) await end();
    }
  }

  /** The variables that all processes share: no limits for clients, and webhooks may go to loopback. */
  get variables(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redisUrl,
      DATA_DIR: this.dataDir,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      API_RATE_LIMIT_PER_MINUTE: '0',
      QUOTA_ALERTS: '0',
      QUOTA_CONCURRENT_SEARCHES: '0',
      QUOTA_PENDING_JOBS: '0',
      QUOTA_RUNNING_EXPORTS: '0',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    };
  }

  /** `end` is called when the benchmark has ended or failed. */
  atEnd(end: () => unknown): void {
    this.endings.push(end);
  }

  /** A process of the service with these roles that is listening. */
  async start(roles: string, variables: Record<string, string> = {}): Promise<ServiceProcess> {
    const started = new ServiceProcess({ ...this.variables, ...variables, ROLES: roles });
    this.atEnd(() => started.end('SIGTERM'));
    return started.ready();
  }

  /** A worker that scrapes the platform at this address with an unlimited budget. */
  worker(platformUrl: string, variables: Record<string, string> = {}): Promise<ServiceProcess> {
    return this.start('worker', { ...scrapingVariables({ ...this, platformUrl }), ...variables });
  }

  /** The service in this process, initialised and not listening. */
  async application(roles: string, variables: Record<string, string> = {}): Promise<Application> {
    const application = await createApplication(
      parseEnvironment({ ...this.variables, ...variables, ROLES: roles }),
    );
    this.atEnd(() => application.close());
    await application.init();
    return application;
  }

  /** The address of a synthetic platform in a process of its own. */
  async platform(...options: string[]): Promise<string> {
    const platform = await startPlatform(...options);
    this.atEnd(() => platform.stop());
    return platform.url;
  }

  /** A connection to Postgres. */
  async client(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    this.atEnd(() => client.end());
    return client;
  }

  /** Does what an operator's command does. */
  operate<T>(work: (tools: OperatorTools) => Promise<T>): Promise<T> {
    return withOperatorTools(parseEnvironment(this.variables), work);
  }

  /** A new workspace and one of its keys, with every scope. */
  workspace(name = 'bench'): Promise<{ workspaceId: string; apiKey: string }> {
    return this.operate(({ workspaces }) => workspaces.create(name));
  }

  /** The API in a process of its own with a workspace of `posts` posts, and a process of the role `beside` if given. */
  async api(posts: number, beside?: 'worker' | 'scheduler'): Promise<BenchApi> {
    const workspace = await this.workspace();
    if (posts > 0) await fillPosts(this.databaseUrl, workspace.workspaceId, posts);
    const api = await BenchApi.start(workspace, { ...this.variables, ROLES: 'api' });
    this.atEnd(() => api.stop());
    if (beside !== undefined) api.beside = await this.start(beside);
    return api;
  }
}

import { residentMb, resourcesOf } from './resources.js';
import { ServiceProcess, type ServiceVariables } from './service-process.js';

/** The API in a process of its own, and one workspace of it. */
export class BenchApi {
  /** An additional process of the service. */
  beside: ServiceProcess | undefined;

  private constructor(
    readonly workspaceId: string,
    readonly headers: { readonly 'X-API-Key': string },
    private readonly variables: ServiceVariables,
    private process: ServiceProcess,
  ) {}

  static async start(
    { workspaceId, apiKey }: { workspaceId: string; apiKey: string },
    variables: ServiceVariables,
  ): Promise<BenchApi> {
    const started = await new ServiceProcess(variables).ready();
    return new BenchApi(workspaceId, { 'X-API-Key': apiKey }, variables, started);
  }

  get url(): string {
    return this.process.url;
  }

  /** Resident memory of the API's process, in megabytes (Linux). */
  rssMb(): number {
    return residentMb(this.process.pid);
  }

  /** Processor time of the API's process so far, in seconds (Linux). */
  cpuSeconds(): number {
    return resourcesOf(this.process.pid).cpuSeconds;
  }

  /** The address of a resource of the workspace, such as `/posts`. */
  addressOf(path: string): string {
    return `${this.url}/api/v1/workspaces/${this.workspaceId}${path}`;
  }

  /** Sends a GET, or a POST with this body. Throws when the response is an error with a status other than `allowed`. */
  async send(path: string, { body, allowed }: { body?: object; allowed?: number } = {}): Promise<Response> {
    const response = await fetch(this.addressOf(path), {
      headers: { ...this.headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok && response.status !== allowed)
      throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 200)}`);
    return response;
  }

  /** The JSON of a response. */
  async read<T>(path: string, body?: object): Promise<T> {
    return (await (await this.send(path, { body })).json()) as T;
  }

  /** Replaces the process by a new one, as an update does; its address changes. */
  async restart(): Promise<void> {
    await this.stop();
    this.process = await new ServiceProcess(this.variables).ready();
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return this.process.end('SIGTERM');
  }
}

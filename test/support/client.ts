import request from 'supertest';
import type { TestApplication, TestWorkspace } from './application.js';

type Service = Pick<TestApplication, 'url'>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A request with the workspace's key, for tests that check status and headers. */
export function requestAs(
  service: Service,
  workspace: TestWorkspace,
  method: Method,
  path: string,
): request.Test {
  const verb = method.toLowerCase() as Lowercase<Method>;
  return request(service.url)[verb](workspace.path(path)).set('X-API-Key', workspace.apiKey);
}

/** The body of a successful response; throws an error with the response otherwise. */
export async function call<T>(
  service: Service,
  workspace: TestWorkspace,
  method: Method,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await requestAs(service, workspace, method, path).send(body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body as T;
}

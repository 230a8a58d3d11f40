import type { ZodRawShape } from 'zod';
import type { Scope } from '../../http/request/scope.js';

/** A request to the API, below the workspace of the key. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Parameters; undefined ones are left out, arrays repeat theirs. */
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** A tool of the Model Context Protocol: its arguments, and the request that answers it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The scope that a key needs for the tool to be listed and called. */
  scope: Scope;
  /** Its arguments; there are no others but `cursor`. Objects within them are made by `argumentsOf`. */
  input: ZodRawShape;
  /** The request for checked arguments. */
  request(input: Record<string, unknown>): ApiRequest;
  /** Whether the answer is a page of a list, with `limit` and a `cursor` of the API. Long texts in it are cut. */
  isPage?: true;
}

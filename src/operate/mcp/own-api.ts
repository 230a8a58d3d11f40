import type { AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { Injectable } from '@nestjs/common';
import type { Server } from 'node:http';
import { OwnCalls } from '../../access/assistants/own-calls.js';
import { API_PREFIX, OWN_WORKSPACE } from '../../http/request/paths.js';
import type { ApiRequest } from './tool.js';

/** A part of a path that addresses leave out, however it was meant. */
const DOTS = /\/\.{1,2}(?:\/|$)/;
/** Longer than any operation takes that a tool uses. */
const TIMEOUT_MS = 30_000;

/** An answer of the API: its status and parsed body. */
export interface ApiAnswer {
  ok: boolean;
  body: unknown;
}

/** Sends one request to the API as the caller. */
export type SendToApi = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>;

/**
 * Sends requests of tools to the API of this process, with the caller's own key, so that scopes, limits, validation and
 * the audit are those of any other client.
 */
@Injectable()
export class OwnApi {
  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly calls: OwnCalls,
  ) {}

  /** Sends one request; one whose path would lead elsewhere finds nothing. Throws when the API does not answer in time, or the signal aborts. */
  async send(
    request: ApiRequest,
    credentials: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    if (DOTS.test(request.path)) return { ok: false, body: { code: 'not_found', detail: 'No such record' } };
    const response = await fetch(this.addressOf(request), {
      method: request.method,
      headers: {
        ...credentials,
        ...this.calls.headers,
        ...(request.body && { 'Content-Type': 'application/json' }),
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      redirect: 'error',
    });
    return { ok: response.ok, body: await response.json() };
  }

  private addressOf({ path, query = {} }: ApiRequest): string {
    const { address, port, family } = (
      this.adapters.httpAdapter.getHttpServer() as Server
    ).address() as AddressInfo;
    const host =
      family === 'IPv6'
        ? address === '::'
          ? '[::1]'
          : `[${address}]`
        : address === '0.0.0.0'
          ? '127.0.0.1'
          : address;
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) parameters.append(name, String(one));
    return `http://${host}:${port}/${API_PREFIX}/workspaces/${OWN_WORKSPACE}${path}?${parameters.toString()}`;
  }
}

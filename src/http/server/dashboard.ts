import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { preferredEncoding } from './preferred-encoding.js';

/** Folder of the built dashboard, relative to the compiled code. */
const BUILT_DASHBOARD = join(import.meta.dirname, '../../../../web/dist');

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Allows only the page's own scripts, styles, fonts, images and requests: no inline script or style, no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files whose names contain the hash of their content are cached for a year; all others are revalidated. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** Lets the browser request the session before the page's scripts have loaded. Not sent for operator pages. */
const SESSION_PRELOAD = '</api/v1/session>; rel=preload; as=fetch; crossorigin';
const OPERATORS_PATH = /^\/admin(\/|$)/;

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Dashboard not built</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run web:build</code> in the folder of the service, then restart the service.</p>
<p>The API works without the dashboard: see <a href="/docs">/docs</a>.</p></html>
`;

/** First path segments that the service itself handles. */
const OWN_PATHS = new Set(['.well-known', 'api', 'docs', 'docs-json', 'health', 'mcp', 'metrics']);

interface StaticFile {
  type: string;
  etag: string;
  cacheControl: string;
  body: Buffer;
  gzip: Buffer | null;
  brotli: Buffer | null;
}

/** Files to serve. */
export interface DashboardOptions {
  /** Whether posts of Reddit targets are synthetic; the page then says so where scrapes are started. */
  hasSyntheticReddit: boolean;
  /** Whether alerts can be sent by email; the page says so where they cannot. */
  hasEmail: boolean;
  /** Folder of the built files. */
  folder?: string;
}

/**
 * Middleware that serves the dashboard from memory: its files, and its page at `/` and at every path that a browser
 * opens as a page, because the page does its own routing. Programs that request such a path get the API's 404. When
 * `folder` contains no build, `/` explains how to create one.
 */
export function serveDashboard({
  hasSyntheticReddit,
  hasEmail,
  folder = BUILT_DASHBOARD,
}: DashboardOptions): RequestHandler {
  const files = readFiles(folder);
  const built = files.get('/index.html') ?? null;
  const marks = [
    ...(hasEmail ? [] : [' data-email="none"']),
    ...(hasSyntheticReddit ? [' data-reddit="synthetic"'] : []),
  ].join('');
  const page = built !== null && marks !== '' ? marked(built, marks) : built;
  files.delete('/index.html');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const file = files.get(request.path);
    if (file !== undefined) return send(file, request, response);
    if (!isPage(request)) return next();
    if (page !== null) {
      if (!OPERATORS_PATH.test(request.path)) response.set('Link', SESSION_PRELOAD);
      send(page, request, response);
    } else if (request.path !== '/') next();
    else response.set('Cache-Control', REVALIDATE).type('html').send(NOT_BUILT);
  };
}

/**
 * True for `/`, and for every other path outside the API with `text/html` in `Accept`, which browsers send when they
 * open a page.
 */
function isPage({ path, headers }: Request): boolean {
  if (path === '/') return true;
  const first = path.split('/')[1]!;
  return !OWN_PATHS.has(first) && first !== 'assets' && (headers.accept?.includes('text/html') ?? false);
}

/** The encoding of a file that the client prefers; of those it prefers equally, the smallest. */
function encodedFor(request: Request, { brotli, gzip }: StaticFile): [encoding: string, body: Buffer] | null {
  const bodies = new Map(Object.entries({ br: brotli, gzip }).filter(([, body]) => body !== null));
  const encoding = preferredEncoding(request, [...bodies.keys()]);
  return encoding === null ? null : [encoding, bodies.get(encoding)!];
}

function send(file: StaticFile, request: Request, response: Response): void {
  const [encoding, body] = encodedFor(request, file) ?? [null, file.body];
  response.set({
    'Content-Type': file.type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': file.cacheControl,
    ETag: file.etag,
    Vary: 'Accept, Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  });
  // Express answers 304 when the request's entity tag matches this one.
  response.send(body);
}

/** The files of a folder by their URL path; empty when the folder does not exist. */
function readFiles(folder: string): Map<string, StaticFile> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => {
      const path = `/${relative(folder, name).split(sep).join('/')}`;
      return [path, readStaticFile(name, path)];
    }),
  );
}

/** Adds attributes, which the page's scripts read, to the root element of the page. */
function marked(page: StaticFile, attributes: string): StaticFile {
  const body = Buffer.from(page.body.toString().replace('<html', `<html${attributes}`));
  return { ...page, etag: etagOf(body), body, gzip: gzipSync(body), brotli: brotliCompressSync(body) };
}

const etagOf = (body: Buffer): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

function readStaticFile(name: string, path: string): StaticFile {
  const body = readFileSync(name);
  const compressed = (extension: string): Buffer | null =>
    existsSync(name + extension) ? readFileSync(name + extension) : null;
  return {
    type: CONTENT_TYPES[extname(name)]!,
    etag: etagOf(body),
    cacheControl: path.startsWith('/assets/') ? IMMUTABLE : REVALIDATE,
    body,
    gzip: compressed('.gz'),
    brotli: compressed('.br'),
  };
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Folder of the built dashboard, seen from the compiled tree. */
const BUILT_DASHBOARD = join(import.meta.dirname, '../../../web/dist');

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page's own scripts, styles, pictures and requests, and nothing else: no inline script or style, no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
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

/** Lets the browser ask for the session before the page's scripts are there. Operators have none. */
const SESSION_PRELOAD = '</api/v1/session>; rel=preload; as=fetch; crossorigin';
const OPERATORS_PATH = /^\/admin(\/|$)/;

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Dashboard not built</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run web:build</code> in the folder of the service, then restart the service.</p>
<p>The API works without the dashboard: see <a href="/docs">/docs</a>.</p></html>
`;

/** First segments of the paths that the service itself answers. */
const OWN_PATHS = new Set(['api', 'docs', 'docs-json', 'health', 'metrics']);

interface StaticFile {
  type: string;
  etag: string;
  cacheControl: string;
  body: Buffer;
  gzip: Buffer | null;
  brotli: Buffer | null;
}

/** What is served. */
export interface DashboardOptions {
  /** Whether posts of Reddit's targets are made up, which the page then says where scrapes are started. */
  hasSyntheticReddit: boolean;
  /** Of the built files. */
  folder?: string;
}

/**
 * Middleware that serves the dashboard from memory: its files, and its page at `/` and at every path that a browser opens as a
 * page, because the routes are defined in the page. A request of a program for such a path gets the API's 404. When `folder`
 * holds no build, `/` explains how to make one.
 */
export function serveDashboard({
  hasSyntheticReddit,
  folder = BUILT_DASHBOARD,
}: DashboardOptions): RequestHandler {
  const files = readFiles(folder);
  const built = files.get('/index.html') ?? null;
  const page = built !== null && hasSyntheticReddit ? markSynthetic(built) : built;
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

/** `/`, and every other path outside the API with `text/html` in `Accept`, which browsers send when they open an address. */
function isPage({ path, headers }: Request): boolean {
  if (path === '/') return true;
  const first = path.split('/')[1]!;
  return !OWN_PATHS.has(first) && first !== 'assets' && (headers.accept?.includes('text/html') ?? false);
}

/** The smallest form of a file that the client accepts. Browsers name gzip first and give every encoding the same weight. */
function encodedFor(request: Request, { brotli, gzip }: StaticFile): [encoding: string, body: Buffer] | null {
  if (brotli !== null && request.acceptsEncodings('br')) return ['br', brotli];
  return gzip !== null && request.acceptsEncodings('gzip') ? ['gzip', gzip] : null;
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
  // Express answers 304 when the entity tag of the request is this one.
  response.send(body);
}

/** The files of a folder by their path in an address; empty when the folder is not there. */
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

/** The page with an attribute at its root element that its scripts read. */
function markSynthetic(page: StaticFile): StaticFile {
  const body = Buffer.from(page.body.toString().replace('<html', '<html data-reddit="synthetic"'));
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

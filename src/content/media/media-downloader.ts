import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundError, type OutboundErrorCode } from '../../infrastructure/outbound-http/outbound-error.js';
import { joinAudio } from './join-audio.js';
import { isPlaceholder } from './placeholder.js';
import type { MediaFile } from './media-file.entity.js';
import type { MediaQuota } from './media-quota.js';
import type { PendingMedia } from './media.repository.js';
import type { MediaStaging } from './media-staging.js';
import { MediaRefused, type MediaStore } from './media-store.js';
import { limitHeaders } from '../../platforms/http/limit-headers.js';
import { faultOfStatus, requestedWait } from '../../platforms/http/retry-policy.js';

const MAX_FILE_BYTES = 100 * 1_024 * 1_024;
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
const MAX_REDIRECTS = 3;
/** Longest wait that a host may ask for. */
const MAX_REST_MS = 120_000;
/** Hosts whose waits are remembered. */
const MAX_HOSTS = 1_000;

/** Failures that a retry would not fix. */
const FINAL: ReadonlySet<OutboundErrorCode> = new Set([
  'invalid_url',
  'address_refused',
  'too_large',
  'too_many_redirects',
  'tls_failed',
]);

interface DownloadLimits {
  signal: AbortSignal;
  maxBytes: number;
}

/** A downloaded file. */
export interface DownloadedFile {
  file: MediaFile;
  /** Whether its bytes are new to the store. */
  isNew: boolean;
  /** Why a video lacks its sound; null when nothing is missing. */
  silentBecause: string | null;
}

/** The file in the staging folder, and why it lacks its sound. */
interface StagedFile {
  path: string;
  silentBecause: string | null;
}

/** Error codes of a write to a disk without space, or beyond a disk quota. */
const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Downloads a medium through the guarded client and stores it under the hash of its bytes. */
export class MediaDownloader {
  private readonly trustedOrigins: ReadonlySet<string>;
  /** When hosts that asked for a wait may be asked again, in epoch milliseconds. */
  private readonly restsUntil = new Map<string, number>();

  /** `trusted` may reach the operator's own origins at any address; redirects from them are not followed. */
  constructor(
    private readonly store: MediaStore,
    private readonly staging: MediaStaging,
    private readonly quota: Pick<MediaQuota, 'remaining' | 'tooLarge'>,
    private readonly client: OutboundHttpClient,
    private readonly trusted: OutboundHttpClient,
    trustedOrigins: readonly string[],
  ) {
    this.trustedOrigins = new Set(trustedOrigins);
  }

  /**
   * Downloads a medium, or its copy when the file is gone, and stores it if it fits into the workspace's remaining
   * quota. Throws {@link MediaRefused}, or the signal's reason when it aborts.
   */
  async fetch(
    workspaceId: string,
    medium: PendingMedia,
    now: Date,
    signal: AbortSignal,
  ): Promise<DownloadedFile> {
    await this.store.requireSpace();
    const room = await this.quota.remaining(workspaceId);
    const limits = { signal, maxBytes: Math.min(room, MAX_FILE_BYTES) };
    const folder = await this.staging.folder();
    const stage = async (url: string): Promise<DownloadedFile> => {
      const path = join(folder, 'main');
      await this.download(url, path, limits);
      const staged = await this.withAudio(path, medium.audioUrls, folder, limits);
      const { size } = await stat(staged.path);
      if (size > room) throw await this.quota.tooLarge(workspaceId);
      return this.keep(workspaceId, medium, { ...staged, size }, now);
    };
    try {
      const { fallbackUrl } = medium;
      if (fallbackUrl === null) return await stage(medium.url);
      return await stage(medium.url).catch((error: unknown) => {
        signal.throwIfAborted();
        const isGone =
          (error instanceof OutboundError && !isTooLarge(error)) || error instanceof MediaRefused;
        if (!isGone) throw error;
        return stage(fallbackUrl).catch(() => Promise.reject(error));
      });
    } catch (error) {
      signal.throwIfAborted();
      if (isTooLarge(error) && room < MAX_FILE_BYTES) throw await this.quota.tooLarge(workspaceId);
      if (error instanceof OutboundError) throw new MediaRefused(error.message, { cause: error });
      if (DISK_FULL.has(String((error as NodeJS.ErrnoException).code)))
        throw new MediaRefused('the disk of the media store or of DATA_DIR is full', { cause: error });
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Deletes the stored bytes of a file that was not recorded in the end, unless other files may share them. */
  async discard({ file, isNew }: Pick<DownloadedFile, 'file' | 'isNew'>): Promise<void> {
    if (isNew) await this.store.remove(file.path);
  }

  private async keep(
    workspaceId: string,
    medium: PendingMedia,
    { path, size, silentBecause }: StagedFile & { size: number },
    now: Date,
  ): Promise<DownloadedFile> {
    // Loaded on first use, because it consists of many modules.
    const { fileTypeFromFile } = await import('file-type');
    const type = await fileTypeFromFile(path);
    if (!type || !/^(?:image|video)\//.test(type.mime))
      throw new MediaRefused(`neither an image nor a video (${type?.mime ?? 'unknown bytes'})`);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    const sha256 = hash.digest('hex');
    const key = `${workspaceId}/${sha256.slice(0, 2)}/${sha256}.${type.ext}`;
    const isNew = await this.store.keep(path, key, type.mime);
    const file = {
      workspaceId,
      id: randomUUID(),
      postId: medium.postId,
      url: medium.url,
      contentType: type.mime,
      size,
      sha256,
      path: key,
      createdAt: now,
    };
    return { file, isNew, silentBecause };
  }

  /** The video joined with its sound track; without one, or when it is missing or cannot be joined, the video alone. */
  private async withAudio(
    video: string,
    audioUrls: readonly string[],
    folder: string,
    limits: DownloadLimits,
  ): Promise<StagedFile> {
    const [audio, joined] = [join(folder, 'audio'), join(folder, 'joined.mp4')];
    let silentBecause: string | null = null;
    for (const url of audioUrls)
      try {
        await this.download(url, audio, limits);
        return (await joinAudio(video, audio, joined, limits.signal))
          ? { path: joined, silentBecause: null }
          : { path: video, silentBecause: 'ffmpeg is not installed or could not join it' };
      } catch (error) {
        limits.signal.throwIfAborted();
        if (!(error instanceof OutboundError) && !(error instanceof MediaRefused)) throw error;
        silentBecause ??= error.message;
      }
    return { path: video, silentBecause };
  }

  private async download(url: string, path: string, { signal, maxBytes }: DownloadLimits): Promise<void> {
    const { origin, host } = URL.canParse(url) ? new URL(url) : { origin: '', host: '' };
    const isTrusted = this.trustedOrigins.has(origin);
    for (let attempt = 1; ; attempt += 1) {
      await this.rest(host, signal);
      try {
        const {
          status,
          headers,
          url: found,
        } = await (isTrusted ? this.trusted : this.client).download(url, () => createWriteStream(path), {
          timeoutMs: TIMEOUT_MS,
          maxBytes,
          maxRedirects: isTrusted ? 0 : MAX_REDIRECTS,
          signal,
        });
        const isContent = status >= 200 && status < 300;
        if (isContent && isPlaceholder(url, found))
          throw new MediaRefused(`the file is gone: its address leads to ${new URL(found).pathname}`);
        if (isContent) return;
        const wait = waitOf(status, headers);
        if (wait === null || attempt === ATTEMPTS || wait > MAX_REST_MS)
          throw new MediaRefused(`the server responded with status ${status}`);
        if (wait > 0) this.restUntil(host, Date.now() + wait);
      } catch (error) {
        if (!(error instanceof OutboundError) || FINAL.has(error.code) || attempt === ATTEMPTS) throw error;
      }
      await pause(FIRST_WAIT_MS * 2 ** attempt, signal);
    }
  }

  private restUntil(host: string, until: number): void {
    if (this.restsUntil.size >= MAX_HOSTS) this.restsUntil.delete(this.restsUntil.keys().next().value!);
    this.restsUntil.set(host, until);
  }

  /** Waits until a host may be asked again. Throws the signal's reason when it aborts. */
  private async rest(host: string, signal: AbortSignal): Promise<void> {
    const wait = (this.restsUntil.get(host) ?? 0) - Date.now();
    if (wait > 0) await pause(wait, signal);
    else this.restsUntil.delete(host);
    signal.throwIfAborted();
  }
}

/** The milliseconds that a host asks to wait for after a status that may pass; null after another one. */
function waitOf(status: number, headers: IncomingHttpHeaders): number | null {
  const fault = faultOfStatus(status);
  if (fault === null || fault === 'unauthorized') return null;
  const header = (name: string): string | null => headers[name]?.toString() ?? null;
  const stated = { retryAfter: header('retry-after'), reset: limitHeaders(header).reset };
  return requestedWait(status, stated, Date.now()) ?? 0;
}

/** Waits, or less when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

const isTooLarge = (error: unknown): boolean => error instanceof OutboundError && error.code === 'too_large';

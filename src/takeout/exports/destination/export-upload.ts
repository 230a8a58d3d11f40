import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { publicId } from '../../../common/ids.js';
import { MediaStore } from '../../../content/media/media-store.js';
import { isStream } from '../../../infrastructure/outbound-http/exchange.js';
import { OutboundHttpClient } from '../../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretUnreadableError } from '../../../infrastructure/secrets/secret-box.js';
import { type BucketObject, putObject } from '../../../messages/buckets/put-object.js';
import { parseS3Address, type S3Address } from '../../../messages/buckets/s3-address.js';
import type { DeliveryOutcome } from '../../../messages/channels/channel.js';
import { shownChoices } from '../dto/export-job.dto.js';
import { partContentType, partName } from '../export-format.js';
import type { ExportJob, ExportPart } from '../export-job.entity.js';
import { ExportJobsRepository } from '../export-jobs.repository.js';
import { ExportDestinations } from './export-destinations.js';
import { retryWait } from './upload-retries.js';

/** Time limit of one file, which has about 256 MiB. */
const TIMEOUT_MS = 15 * 60_000;

/** The files of an export could not be copied; the message is for its record. */
export class UploadFailed extends Error {
  constructor(reason: string) {
    super(`The files could not be copied to the destination, but can be downloaded here. ${reason}.`);
  }
}

/** Copies the files of exports to their destinations. */
@Injectable()
export class ExportUpload {
  constructor(
    private readonly destinations: ExportDestinations,
    private readonly jobs: ExportJobsRepository,
    private readonly store: MediaStore,
    private readonly http: OutboundHttpClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts every part of an export and then `manifest.json` into a folder of its own, so that the files are complete once
   * the manifest is there. Does nothing without a destination. A repeat replaces the same objects. Throws
   * {@link UploadFailed} when retries are over, or the signal's reason.
   */
  async upload(job: ExportJob, signal: AbortSignal): Promise<void> {
    const target = this.targetOf(job);
    if (target === null) return;
    const folder = `${job.createdAt.toISOString().slice(0, 10)}-${publicId('export', job.id)}`;
    const parts = await this.jobs.listParts(job.workspaceId, [job.id]);
    for (const part of parts) {
      const object = { name: `${folder}/${partName(job, part.number)}`, contentType: partContentType(job) };
      await this.put(target, signal, async () => {
        const stream = await this.store.read(part.key, part.bytes);
        return { ...object, body: { stream, bytes: part.bytes } };
      });
    }
    const body = `${JSON.stringify(manifestOf(job, parts), null, 2)}\n`;
    const manifest = { name: `${folder}/manifest.json`, contentType: 'application/json', body };
    await this.put(target, signal, () => Promise.resolve(manifest));
  }

  private targetOf(job: ExportJob): Target | null {
    try {
      const opened = this.destinations.open(job.workspaceId, job);
      if (opened === null) return null;
      const address = parseS3Address(opened.url);
      if ('refusal' in address) throw new UploadFailed(`Its address ${address.refusal}`);
      return { address, secret: opened.secret };
    } catch (error) {
      if (error instanceof SecretUnreadableError)
        throw new UploadFailed('Its secret can no longer be decrypted; create the export again');
      throw error;
    }
  }

  /** Puts one object, which `open` opens for each attempt. */
  private async put(target: Target, signal: AbortSignal, open: () => Promise<BucketObject>): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      const outcome = await this.attempt(target, signal, await open());
      if (outcome.ok) return;
      signal.throwIfAborted();
      const waitMs = retryWait(outcome, failures);
      if (waitMs === null) throw new UploadFailed(outcome.error ?? 'The store refused them');
      await sleep(waitMs, undefined, { signal });
    }
  }

  private async attempt(target: Target, signal: AbortSignal, object: BucketObject): Promise<DeliveryOutcome> {
    try {
      const request = { ...target, now: this.clock.now(), timeoutMs: TIMEOUT_MS, signal };
      return await putObject(this.http, object, request);
    } finally {
      if (isStream(object.body)) object.body.stream.destroy();
    }
  }
}

interface Target {
  address: S3Address;
  secret: string;
}

/** Names, sizes and hashes of the copied files, with the export of which they are. */
const manifestOf = (job: ExportJob, parts: readonly ExportPart[]) => ({
  export_id: publicId('export', job.id),
  recurring_id: job.recurringId && publicId('recurringExport', job.recurringId),
  name: job.name,
  ...shownChoices(job),
  incremental_from: job.incrementalFrom && publicId('export', job.incrementalFrom),
  started_at: job.startedAt,
  files: parts.map(({ number, rows, bytes, sha256 }) => ({
    ...{ name: partName(job, number), rows, bytes, sha256 },
  })),
});

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Environment } from '../../config/environment.js';

/** Where files are kept: a folder, or a bucket that speaks S3. */
export class MediaStore {
  private constructor(private readonly disk: Disk) {}

  static async open(environment: Environment): Promise<MediaStore> {
    if (environment.MEDIA_S3_BUCKET === undefined)
      return new MediaStore(
        new Disk(
          new FSDriver({
            location: environment.MEDIA_DIR ?? join(environment.DATA_DIR, 'media'),
            visibility: 'private',
          }),
        ),
      );
    // Half a second of loading that only buckets need.
    const { S3Driver } = await import('flydrive/drivers/s3');
    const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = environment;
    return new MediaStore(
      new Disk(
        new S3Driver({
          bucket: environment.MEDIA_S3_BUCKET,
          region: environment.MEDIA_S3_REGION,
          visibility: 'private',
          supportsACL: false,
          ...(environment.MEDIA_S3_ENDPOINT !== undefined && {
            endpoint: environment.MEDIA_S3_ENDPOINT,
            forcePathStyle: true,
            // Sent as trailers otherwise, which many stores that speak S3 refuse.
            requestChecksumCalculation: 'WHEN_REQUIRED' as const,
            responseChecksumValidation: 'WHEN_REQUIRED' as const,
          }),
          ...(accessKeyId !== undefined &&
            secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
        }),
      ),
    );
  }

  /** Keeps a local file under a key that names its content; does nothing when it is there. */
  async keep(path: string, key: string, contentType: string): Promise<void> {
    if (!(await this.disk.exists(key))) await this.disk.copyFromFs(path, key, { contentType });
  }

  read(key: string): Promise<Readable> {
    return this.disk.getStream(key);
  }
}

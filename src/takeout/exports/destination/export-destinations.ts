import { Injectable } from '@nestjs/common';
import { Problem } from '../../../http/problems/problem.js';
import { OutboundHttpClient } from '../../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretBox, type SecretOwner } from '../../../infrastructure/secrets/secret-box.js';
import { refuseS3Address } from '../../../messages/buckets/s3-address.js';
import type { ExportDestinationDto } from './export-destination.dto.js';

/** Where the files of an export are copied; null where they stay. Neither is null without the other. */
export interface StoredDestination {
  destinationUrl: string | null;
  sealedSecret: string | null;
}

/** Checks destinations, and encrypts and decrypts their secrets. */
@Injectable()
export class ExportDestinations {
  constructor(
    private readonly box: SecretBox,
    private readonly http: OutboundHttpClient,
  ) {}

  /** The columns of a destination, or of none. Throws 400 for an address that cannot be used. */
  seal(workspaceId: string, destination: ExportDestinationDto | undefined): StoredDestination {
    if (destination === undefined) return { destinationUrl: null, sealedSecret: null };
    const { url, secret } = destination;
    const refusal = refuseS3Address(url, this.http);
    if (refusal !== null)
      throw Problem.validation([{ field: 'destination.url', message: `destination.url ${refusal}` }]);
    return { destinationUrl: url, sealedSecret: this.box.seal(secret, ownerOf(workspaceId, url)) };
  }

  /** Address and secret; null without a destination. Throws `SecretUnreadableError`. */
  open(
    workspaceId: string,
    { destinationUrl: url, sealedSecret }: StoredDestination,
  ): { url: string; secret: string } | null {
    if (url === null || sealedSecret === null) return null;
    return { url, secret: this.box.open(sealedSecret, ownerOf(workspaceId, url)) };
  }

  /** Encrypts the secret of a row again with the sealing key. Throws `SecretUnreadableError`. */
  reseal<Row extends StoredDestination & { workspaceId: string }>(row: Row): Row {
    const { workspaceId, destinationUrl: url, sealedSecret } = row;
    if (url === null || sealedSecret === null) return row;
    return { ...row, sealedSecret: this.box.reseal(sealedSecret, ownerOf(workspaceId, url)) };
  }
}

/** A secret can be opened only for the address with which it was given, by a recurring export and by its runs. */
const ownerOf = (workspaceId: string, url: string): SecretOwner => ({
  workspaceId,
  purpose: `export_destination:${url}`,
});

import type { Hash } from 'node:crypto';
import { Transform } from 'node:stream';

/** A stream that passes its bytes on unchanged and adds them to the hash. */
export function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

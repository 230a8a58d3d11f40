import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import type { SealedSecrets } from '../../deliver/webhooks/webhooks.repository.js';
import type {
  EncryptionKeysRepository,
  OtherKey,
} from '../../tenants/encryption/encryption-keys.repository.js';
import { SealedColumns } from '../../tenants/ports/sealed-columns.js';
import { Reencryption } from './reencryption.js';

describe('re-encryption with a new key', () => {
  let replaced: string[];
  let removed: string[];
  let onReplace: () => Promise<void>;

  beforeEach(() => {
    [replaced, removed] = [[], []];
    onReplace = () => Promise.resolve();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  });
  afterEach(() => jest.restoreAllMocks());

  /** A worker with webhooks of these ids; ids that begin with `lost` cannot be decrypted. */
  const worker = (
    ids: readonly string[],
    others: OtherKey[] = [
      { keyId: 'former', isReplaced: true },
      { keyId: 'still in use', isReplaced: false },
    ],
  ): Reencryption => {
    let pages = 0;
    const rows = ids.map((id) => ({ workspaceId: 'w', id }) as SealedSecrets);
    const webhooks = {
      findSealedOtherwise: (_prefix: string, after: SealedSecrets | null, limit: number) => {
        pages += 1;
        if (pages > 3) return Promise.reject(new Error('the same page again'));
        const start = after === null ? 0 : rows.indexOf(after) + 1;
        return Promise.resolve(rows.slice(start, start + limit));
      },
      replaceSealed: (_workspaceId: string, { id }: SealedSecrets) => {
        replaced.push(id);
        return onReplace();
      },
    };
    const secrets = {
      reseal: (row: SealedSecrets) => {
        if (row.id.startsWith('lost')) throw new SecretUnreadableError();
        return row;
      },
    };
    const keys = {
      findOthers: () => Promise.resolve(others),
      remove: (keyIds: string[]) => {
        removed.push(...keyIds);
        return Promise.resolve();
      },
    };
    const sealed = new SealedColumns();
    sealed.register<SealedSecrets>(webhooks, secrets);
    return new Reencryption(
      { keyIds: ['next'], sealedPrefix: 'v1.next.' } as unknown as SecretBox,
      keys as unknown as EncryptionKeysRepository,
      sealed,
    );
  };

  it('gets past any number of rows that cannot be decrypted, and keeps the old key', async () => {
    const lost = Array.from({ length: 100 }, (_, number) => `lost ${number}`);
    await worker([...lost, 'readable']).pass();
    expect([replaced, removed]).toEqual([['readable'], []]);
  });

  it('reads the rows once, and later only while other keys are recorded', async () => {
    const alone = worker(['one'], []);
    await alone.pass();
    await alone.pass();
    expect(replaced).toEqual(['one']);
    const among = worker(['two'], [{ keyId: 'still in use', isReplaced: false }]);
    await among.pass();
    await among.pass();
    expect([replaced, removed]).toEqual([['one', 'two', 'two'], []]);
  });

  it('keeps the old key when stopped midway', async () => {
    const ids = Array.from({ length: 101 }, (_, number) => `row ${number}`);
    const stopped = worker(ids);
    onReplace = () => stopped.beforeApplicationShutdown();
    await stopped.pass();
    expect([replaced.length, removed]).toEqual([100, []]);
  });

  it('finishes the row in progress before it shuts down', async () => {
    const order: string[] = [];
    let finish!: () => void;
    const begun = new Promise<void>((begin) => {
      onReplace = () => {
        begin();
        return new Promise((resolve) => (finish = resolve));
      };
    });
    const ending = worker(['one']);
    ending.onApplicationBootstrap();
    await begun;
    const ended = ending.beforeApplicationShutdown().then(() => order.push('ended'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('replaced');
    finish();
    await ended;
    expect(order).toEqual(['replaced', 'ended']);
  });
});

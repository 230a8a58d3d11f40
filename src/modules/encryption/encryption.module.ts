import { Module } from '@nestjs/common';
import { EncryptionKeyCheck } from './encryption-key-check.js';
import { EncryptionKeysRepository } from './encryption-keys.repository.js';

/** Checks at start that this process has the keys of its database. */
@Module({ providers: [EncryptionKeyCheck, EncryptionKeysRepository] })
export class EncryptionModule {}

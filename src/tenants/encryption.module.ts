import { Module } from '@nestjs/common';
import { EncryptionKeyCheck } from './encryption/encryption-key-check.js';
import { EncryptionKeysRepository } from './encryption/encryption-keys.repository.js';

/** Checks at startup that this process has all keys of its database. */
@Module({ providers: [EncryptionKeyCheck, EncryptionKeysRepository], exports: [EncryptionKeysRepository] })
export class EncryptionModule {}

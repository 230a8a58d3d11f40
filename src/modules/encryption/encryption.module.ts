import { Module } from '@nestjs/common';
import { EncryptionKeyCheck } from './encryption-key-check.js';

/** Checks at start that this process has the keys of its database. */
@Module({ providers: [EncryptionKeyCheck] })
export class EncryptionModule {}

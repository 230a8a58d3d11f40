import { Global, Module } from '@nestjs/common';
import { Pruner } from './pruner.js';

@Global()
@Module({ providers: [Pruner], exports: [Pruner] })
export class PruningModule {}

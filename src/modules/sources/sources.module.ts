import { Module } from '@nestjs/common';
import { SourcesController } from './sources.controller.js';
import { SourcesService } from './sources.service.js';

/** Describes the sources that targets can name. */
@Module({ controllers: [SourcesController], providers: [SourcesService] })
export class SourcesModule {}

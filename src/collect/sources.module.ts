import { Module } from '@nestjs/common';
import { PlatformModule } from '../platforms/platform.module.js';
import { SourcesController } from './sources/sources.controller.js';
import { SourcesService } from './sources/sources.service.js';

/** Describes the sources that targets can name. */
@Module({ imports: [PlatformModule], controllers: [SourcesController], providers: [SourcesService] })
export class SourcesModule {}

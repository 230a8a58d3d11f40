import { Module } from '@nestjs/common';
import { LabelsRepositoryModule } from '../content/labels-repository.module.js';
import { PortsModule } from '../tenants/ports.module.js';
import { MediaModule } from '../content/media.module.js';
import { PostsModule } from '../content/posts.module.js';
import { ExecutionsModule } from './executions.module.js';
import { RecordRemoval } from './removal/record-removal.js';

/** Removes posts and comments, or their files alone, for erasures, retention and rechecks. */
@Module({
  imports: [ExecutionsModule, LabelsRepositoryModule, MediaModule, PortsModule, PostsModule],
  providers: [RecordRemoval],
  exports: [RecordRemoval],
})
export class RemovalModule {}

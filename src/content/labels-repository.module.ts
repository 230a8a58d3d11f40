import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PortsModule } from '../tenants/ports.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { Label } from './labels/label.entity.js';
import { LabelsRepository } from './labels/labels.repository.js';

/** Stored labels. */
@Module({
  imports: [PortsModule, TypeOrmModule.forFeature([Label])],
  providers: [LabelsRepository],
  exports: [LabelsRepository],
})
export class LabelsRepositoryModule {
  constructor(removals: Removals, labels: LabelsRepository) {
    const remove = labels.deleteOf.bind(labels);
    removals.register({ tables: ['labels'], when: 'always', posts: remove, comments: remove });
  }
}

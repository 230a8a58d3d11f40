import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Label } from './labels/label.entity.js';
import { LabelsRepository } from './labels/labels.repository.js';

/** Stored labels, for the modules that read or erase them. */
@Module({
  imports: [TypeOrmModule.forFeature([Label])],
  providers: [LabelsRepository],
  exports: [LabelsRepository],
})
export class LabelsRepositoryModule {}

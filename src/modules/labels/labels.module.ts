import { Module } from '@nestjs/common';
import { LabelsController } from './labels.controller.js';
import { LabelsRepositoryModule } from './labels-repository.module.js';
import { LabelsService } from './labels.service.js';

/** Labels over HTTP. */
@Module({
  imports: [LabelsRepositoryModule],
  controllers: [LabelsController],
  providers: [LabelsService],
})
export class LabelsModule {}

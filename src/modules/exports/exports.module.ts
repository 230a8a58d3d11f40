import { Module } from '@nestjs/common';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportDownload } from './export-download.js';
import { ExportSource } from './export-source.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

@Module({
  imports: [QuotasModule],
  controllers: [ExportsController],
  providers: [ExportsService, ExportDownload, ExportSource],
})
export class ExportsModule {}

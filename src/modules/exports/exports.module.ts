import { Module } from '@nestjs/common';
import { ExportSource } from './export-source.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

@Module({ controllers: [ExportsController], providers: [ExportsService, ExportSource] })
export class ExportsModule {}

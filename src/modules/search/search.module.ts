import { Module } from '@nestjs/common';
import { QuotasModule } from '../usage/quotas.module.js';
import { SearchDatabase } from './search-database.js';

@Module({ imports: [QuotasModule], providers: [SearchDatabase], exports: [SearchDatabase] })
export class SearchModule {}

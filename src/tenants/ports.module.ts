import { Module } from '@nestjs/common';
import { Removals } from './ports/removals.js';
import { SealedColumns } from './ports/sealed-columns.js';

const PORTS = [Removals, SealedColumns];

/** Where owners of tables register the work that concerns every table. */
@Module({ providers: PORTS, exports: PORTS })
export class PortsModule {}

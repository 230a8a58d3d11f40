import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Metadata key of {@link Public}. */
export const PUBLIC = 'public';
/** OpenAPI extension of {@link Public}; absent from the final document. */
export const PUBLIC_EXTENSION = 'x-public';

/** OpenAPI extension of admin operations; absent from the final document. */
export const ADMIN_EXTENSION = 'x-admin';

/** Marks operations that need no API key: probes and metrics. */
export const Public = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));

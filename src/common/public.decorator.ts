import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'public';

/** Answers without an API key: probes, metrics, documentation. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

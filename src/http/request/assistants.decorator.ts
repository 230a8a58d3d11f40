import { SetMetadata } from '@nestjs/common';

/** Metadata key of {@link ForAssistants}. */
export const ASSISTANTS = 'assistants';

/** Marks operations that accept the access tokens of assistants, and tell a program without a key how to get one. */
export const ForAssistants = (): ClassDecorator => SetMetadata(ASSISTANTS, true);

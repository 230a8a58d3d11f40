import { EXTENSION_EXAMPLES } from './extension-examples.js';
import { INTERFACE_EXAMPLES } from './interface-examples.js';
import type { OperationExamples } from './operation-examples.js';

/** Examples by operation; a test holds them against their schemas. */
export const EXAMPLES: Record<string, OperationExamples> = { ...INTERFACE_EXAMPLES, ...EXTENSION_EXAMPLES };

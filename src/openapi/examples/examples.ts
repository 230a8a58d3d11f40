import { DATA_EXAMPLES } from './data-examples.js';
import { DELIVERY_EXAMPLES } from './delivery-examples.js';
import { INTERFACE_EXAMPLES, type OperationExamples } from './interface-examples.js';
import { OPERATOR_EXAMPLES } from './operator-examples.js';

/** Examples by operation id: of the interface, and of the operations beyond it. Tests validate each against its schema. */
export const EXAMPLES: Record<string, OperationExamples> = {
  ...INTERFACE_EXAMPLES,
  ...DATA_EXAMPLES,
  ...DELIVERY_EXAMPLES,
  ...OPERATOR_EXAMPLES,
};

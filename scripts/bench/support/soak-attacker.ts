import { attack, type AttackOrder } from './soak-attacks.js';

// The process that attacks; its parent sends one order and gets one report.
process.once('message', (order: AttackOrder) => {
  void attack(order).then((report) => process.send?.(report));
});

import { attack, type AttackOrder } from './soak-attacks.js';

// The attacking process: its parent sends one order and gets one report.
process.once('message', (order: AttackOrder) => {
  void attack(order).then((report) => process.send?.(report));
});

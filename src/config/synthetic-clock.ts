import { z } from 'zod';

/** How the clock of the synthetic platform is set: `real`, or the moment at which it stands still. */
export const syntheticClock = z
  .string()
  .refine(
    (text) => text === 'real' || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be "real" or a moment with its zone such as 2026-11-01T00:00:00Z',
  );

import { expect, it } from 'vitest';
import { DAYS, deliveriesByDay } from './deliveries-by-day.ts';

const NOW = new Date(2026, 10, 27, 12);
const delivery = (daysBefore: number, status: 'delivered' | 'failed' | 'pending') => ({
  created_at: new Date(2026, 10, 27 - daysBefore, 9).toISOString(),
  status,
  error: null,
});

it('counts what arrived and failed on each day, without what was not tried', () => {
  const newest = [delivery(0, 'pending'), delivery(0, 'delivered'), delivery(1, 'failed')];
  const { arrived, failed } = deliveriesByDay([...newest, delivery(DAYS, 'failed')], true, NOW);
  expect([arrived.length, arrived.at(-1), arrived.at(-2)]).toEqual([DAYS, 1, 0]);
  expect([failed.at(-1), failed.at(-2), failed.reduce((sum, one) => sum + one)]).toEqual([0, 1, 1]);
});

it('leaves out days of which not all deliveries were read', () => {
  const newest = [delivery(0, 'delivered'), delivery(1, 'delivered'), delivery(2, 'delivered')];
  expect(deliveriesByDay(newest, false, NOW).arrived).toEqual([1, 1]);
});

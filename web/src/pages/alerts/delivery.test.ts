import { describe, expect, it, vi } from 'vitest';
import { deliveryOf, deliveryText, toDelivery } from './delivery.ts';

// A reader whose clocks have 24 hours.
vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en-GB' }));

describe('when an alert notifies', () => {
  it('is at once without settings', () => {
    expect(toDelivery(deliveryOf(null))).toBeNull();
    expect(deliveryText(deliveryOf(null))).toBe('At once');
  });

  it('keeps what a digest needs, and nothing else', () => {
    const settings = { ...deliveryOf(null), timezone: 'Europe/Berlin' };
    expect(toDelivery({ ...settings, every: 'hour' })).toEqual({ every: 'hour', timezone: 'Europe/Berlin' });
    expect(toDelivery({ ...settings, every: 'week', at: '07:30', weekday: 'friday' })).toEqual({
      every: 'week',
      timezone: 'Europe/Berlin',
      at: '07:30',
      weekday: 'friday',
    });
  });

  it('comes back as it was sent', () => {
    const delivery = {
      every: 'match',
      timezone: 'Europe/Berlin',
      quiet: { from: '22:00', to: '07:00' },
      max_per_hour: 20,
    } as const;
    expect(toDelivery(deliveryOf(delivery))).toEqual(delivery);
    expect(deliveryText(deliveryOf(delivery))).toBe('At once, quiet from 22:00 to 07:00, at most 20 an hour');
  });
});

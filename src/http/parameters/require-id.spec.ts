import { requireId } from './require-id.js';

const UUID = '5f0c7a4e-8a40-4f0c-9f4e-2f1d3c5b6a79';

describe('an id of a request', () => {
  it.each([UUID, `job_${UUID}`, UUID.toUpperCase()])('is read from %s', (text) => {
    expect(requireId('job', text, 'job_id')).toBe(UUID);
  });

  it.each(['x', '', `alert_${UUID}`])('is refused with its form when it is %j', (text) => {
    const message = 'job_id must be an id that begins with job_, or its uuid';
    const refused = expect.objectContaining({ extra: { errors: [{ field: 'job_id', message }] } }) as Error;
    expect(() => requireId('job', text, 'job_id')).toThrow(refused);
  });
});

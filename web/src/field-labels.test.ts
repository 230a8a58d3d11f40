import { describe, expect, it } from 'vitest';
import { inWords } from './field-labels.ts';

const words = (message: string): string => inWords(message, (number) => `Entry ${number}`);

describe('a message of the API in words', () => {
  it('names the field as the dashboard does', () => {
    expect(words('incremental_from must be the id of a completed export')).toBe(
      'The earlier export must be the id of a completed export',
    );
    expect(words('delivery.quiet.from must be a time')).toBe('The beginning must be a time');
  });

  it('keeps the position of an entry', () => {
    expect(words('keywords.1 must contain a letter')).toBe('Entry 2 must contain a letter');
  });

  it('replaces the names of other fields within the text', () => {
    expect(words('filters must equal those of `incremental_from`')).toBe(
      'The filters must equal those of the earlier export',
    );
  });

  it('leaves other texts as they are', () => {
    expect(words('Each entry is too long')).toBe('Each entry is too long');
    expect(words('channel_config.webhook_url must be a URL')).toBe('This value must be a URL');
  });
});

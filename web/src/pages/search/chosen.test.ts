import { describe, expect, it } from 'vitest';
import { stateOf, withValue } from './chosen.ts';

describe('the choice of a facet', () => {
  it('adds values, and excludes them instead', () => {
    expect(withValue(undefined, 'a', 'some')).toBe('a');
    expect(withValue('a', 'b', 'none')).toEqual(['a', '!b']);
    expect(withValue(['a', '!b'], 'A', 'none')).toEqual(['!b', '!A']);
  });

  it('leaves nothing when the last value goes', () => {
    expect(withValue(['a', '!b'], 'B', 'open')).toBe('a');
    expect(withValue('a', 'a', 'open')).toBeUndefined();
  });

  it('knows how a value is chosen, whatever its case', () => {
    expect(stateOf(['Technology', '!chess'], 'technology')).toBe('some');
    expect(stateOf(['Technology', '!chess'], 'Chess')).toBe('none');
    expect(stateOf('a', 'b')).toBe('open');
  });
});

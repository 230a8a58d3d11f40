import { languageOf } from './stated-language.js';

describe('languageOf', () => {
  it.each([
    ['nothing stated', 'Das ist nicht gut und auch nicht schön', [], 'de'],
    ['the stated language of a short text', 'ok', ['pt-BR'], 'pt'],
    ['the stated language of a text that may be in it', 'no', ['es'], 'es'],
    ['the one of several stated that the text is in', 'Das ist nicht gut', ['en', 'de-AT'], 'de'],
    ['a clear contradiction', 'Das ist nicht gut und auch nicht schön, ich mag es nicht', ['en'], 'de'],
    ['a language that is not detected', 'Dia dhuit', ['ga'], 'ga'],
    ['what is no language', 'Das ist nicht gut', ['', 'und', '12', 'x'], 'de'],
    ['a code of the same language', 'Jeg vet ikke', ['nb-NO'], 'no'],
  ])('follows %s', (_what, text, stated, language) => {
    for (const tags of [stated, stated.map((tag) => tag.toUpperCase())])
      expect(languageOf(text, tags).language).toBe(language);
  });
});

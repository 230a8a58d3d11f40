/** Words that reverse the meaning of the next ones, for each language with a model besides English. */
export const NEGATIONS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    ar: 'لا ليس لم لن ما مش مو غير بدون ولا',
    de: 'nicht kein keine keinen keiner nie niemals ohne nichts weder kaum',
    es: 'no nunca jamás sin ni tampoco nada nadie',
    fr: 'ne pas jamais rien sans ni aucun aucune plus',
    it: 'non mai senza né niente nulla nessuno',
    pt: 'não nao nunca jamais sem nem nada ninguém',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** Languages with a sentiment model besides English, in alphabetical order. */
export const MODEL_LANGUAGES: readonly string[] = Object.keys(NEGATIONS);

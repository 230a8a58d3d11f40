/** The package's own types cover only its root, which costs 119 MB to load. */
declare module 'natural/lib/natural/stemmers/porter_stemmer.js' {
  const stemmer: { stem(word: string): string };
  export default stemmer;
}

declare module 'natural/lib/natural/util/stopwords.js' {
  const lists: { words: string[] };
  export default lists;
}

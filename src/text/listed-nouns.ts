/**
 * Nouns among the stop words of languages, which are lists of frequent words: a text is about them, so that their forms
 * find each other. Nouns that are function words as well (`mal`, `morgen`, `pas`) are not listed.
 */
export const LISTED_NOUNS: Readonly<Record<string, string>> = {
  de: 'beispiel gott jahr jahre jahren mann mensch menschen mittel ordnung sache schluss startseite tag tage tagen tat teil uhr zeit',
  es: 'acuerdo cosas cuenta dias días día ejemplo horas lado lugar momento paìs pais parte tiempo trabajo valor veces verdad',
  fr: 'effet essai façon force gens mine parole personne personnes pièce sein sujet valeur voie état',
  it: 'accidenti anni anno anticipo attesa caso cima citta città conclusione consiglio cortesia cosa esempio favore forza gente giorni giorno gruppo lato luogo mesi miliardi milioni mila momento mondo nome paese parte peccato persone piedi presa promesso registrazione rispetto scopo stato tempo titolo uomo vita volta volte',
  pt: 'ano anos apoio área caminho certeza coisa conselho corrente dúvida estado exemplo falta favor forma grupo hora horas lado local lugar maioria meses momento nome noite nível número obra parte pessoas ponto pontos posição povo questão relação sistema tempo tipo trabalho valor verdade vez vezes viagem',
  nl: 'paar',
  sv: 'beslut dag dagar dagarna dagen delen nummer',
  da: 'mand',
  no: 'arbeid folk måte navn punkt slutt tilstand verdi',
  ca: 'mode',
  ro: 'fata timp vreme noroc',
  fi: 'aika aikaa aikaan aikana asia asiaa asian asiasta asiat asioiden asioihin asioita joukkoon joukossa joukosta kerta kertaa kukka tapauksessa tavalla tavoitteena vuoden vuosi vuosien vuosina vuotta',
  hu: 'cikk cikkek cikkeket napot naponta részére századik szervusz urak uram urat év évben éve évek éves évi évvel búcsú',
  id: 'bapak besar bulan cara depan guna hal hari ibu jumlah kasus kata keadaan kira masa masalah pihak pukul saat soal tahun tempat waktu',
  ru: 'вечер взгляд вид вода война вопрос время времени глаз год года году голова голос город дверь дело дел день деньги дом дорога друг душа жена женщина жизнь земля имя книга комната конец лет лицо люди мать машина место миллионов минута мир мира мор москва народ начала нога ночь окно отец плечо пол пора процентов путь работа ребенок россия рука ряд свет сила слово случай стол сторона страна суть товарищ тысяч улица утро час часть человек',
};

import { normalized } from '../../common/strings.js';
import { distinctBy } from '../../common/collections.js';
import {
  asArray,
  asInteger,
  asObject,
  asObjects,
  asText,
  asTexts,
  type WireObject,
} from '../http/response-parsing.js';
import { linkText } from '../http/shortened-link.js';

/** Facets of a record that are read. Clients write a few. */
const MAX_FACETS = 500;

/** The text of a record, in which the whole address stands in place of a shortened one. */
export function textOf(record: WireObject): string {
  const text = typeof record.text === 'string' ? record.text : '';
  const bytes = Buffer.from(text, 'utf8');
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, uri } of linkPlaces(record).sort((a, b) => a.start - b.start)) {
    // Places that overlap, lie outside or cut a character are ignored.
    if (start < at || end <= start || end > bytes.length || cuts(bytes, start) || cuts(bytes, end)) continue;
    const shown = bytes.toString('utf8', start, end);
    parts.push(bytes.toString('utf8', at, start), linkText(shown, uri) === 'words' ? shown : uri);
    at = end;
  }
  return [...parts, bytes.toString('utf8', at)].join('');
}

/** The addresses to which a record's text links. */
export const linksOf = (record: WireObject): string[] => linkPlaces(record).map(({ uri }) => uri);

/** The hashtags of a record without `#`, within its text and outside of it, each once. */
export function tagsOf(record: WireObject): string[] {
  const inText = features(record).map(({ feature }) => feature.tag);
  const given = asTexts([...inText, ...asArray(record.tags).slice(0, MAX_FACETS)]);
  const tags = given.map((tag) => normalized(tag));
  return distinctBy(tags, (tag) => tag.toLowerCase());
}

function features(record: WireObject): { index: WireObject | null; feature: WireObject }[] {
  const facets = asObjects(asArray(record.facets).slice(0, MAX_FACETS));
  const found = facets.flatMap(({ index, features: all }) =>
    asObjects(asArray(all).slice(0, MAX_FACETS)).map((feature) => ({ index: asObject(index), feature })),
  );
  return found.slice(0, MAX_FACETS);
}

/** Links within a text; their places are counted in bytes of UTF-8, the end exclusive. */
function linkPlaces(record: WireObject): { start: number; end: number; uri: string }[] {
  return features(record).flatMap(({ index, feature }) => {
    const [start, end] = [asInteger(index?.byteStart), asInteger(index?.byteEnd)];
    const uri = asText(feature.uri);
    return uri === null || start === null || end === null || start < 0 ? [] : { start, end, uri };
  });
}

/** Whether a place is within a character: the bytes of a character after its first begin with the bits 10. */
function cuts(bytes: Buffer, at: number): boolean {
  return at < bytes.length && (bytes[at]! & 0b1100_0000) === 0b1000_0000;
}

import { basename } from 'node:path';

/** A file that is not a dump; the message names the format and the command that converts it. */
export class NotADump extends Error {}

/** A kind of file that is not a dump, known by its first bytes. */
interface OtherFormat {
  name: string;
  /** Whether the first bytes are of this kind. */
  matches: (head: Buffer) => boolean;
  /** A shell command that converts it; null when there is none. */
  convert: ((file: string, target: string) => string) | null;
}

const startsWith =
  (hex: string, at = 0) =>
  (head: Buffer): boolean =>
    head.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, 'hex'));

/** The first character that is not white space. */
const beginsText =
  (character: string) =>
  (head: Buffer): boolean =>
    head
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart()
      .startsWith(character);

const from =
  (encoding: string) =>
  (file: string, target: string): string =>
    `iconv -f ${encoding} -t UTF-8 ${file} > ${target}`;

/** Every kind that people take for a dump; a further one is added here. */
const OTHER_FORMATS: readonly OtherFormat[] = [
  { name: 'xz', matches: startsWith('fd377a585a00'), convert: (file, to) => `xz -dc ${file} > ${to}` },
  { name: 'bzip2', matches: startsWith('425a68'), convert: (file, to) => `bzip2 -dc ${file} > ${to}` },
  { name: '7z', matches: startsWith('377abcaf271c'), convert: (file, to) => `7z x -so ${file} > ${to}` },
  { name: 'zip', matches: startsWith('504b0304'), convert: (file, to) => `unzip -p ${file} > ${to}` },
  {
    name: 'rar',
    matches: startsWith('526172211a07'),
    convert: (file, to) => `unrar p -inul ${file} > ${to}`,
  },
  { name: 'lz4', matches: startsWith('04224d18'), convert: (file, to) => `lz4 -dc ${file} > ${to}` },
  { name: 'lzip', matches: startsWith('4c5a4950'), convert: (file, to) => `lzip -dc ${file} > ${to}` },
  { name: 'tar', matches: startsWith('7573746172', 257), convert: (file, to) => `tar -xOf ${file} > ${to}` },
  { name: 'UTF-32', matches: startsWith('fffe0000'), convert: from('UTF-32') },
  { name: 'UTF-32', matches: startsWith('0000feff'), convert: from('UTF-32') },
  { name: 'UTF-16', matches: startsWith('fffe'), convert: from('UTF-16') },
  { name: 'UTF-16', matches: startsWith('feff'), convert: from('UTF-16') },
  { name: 'UTF-16', matches: startsWith('7b00'), convert: from('UTF-16LE') },
  { name: 'UTF-16', matches: startsWith('007b'), convert: from('UTF-16BE') },
  { name: 'a JSON array', matches: beginsText('['), convert: (file, to) => `jq -c '.[]' ${file} > ${to}` },
  { name: 'HTML or XML', matches: beginsText('<'), convert: null },
  { name: 'Parquet', matches: startsWith('50415231'), convert: null },
  { name: 'an SQLite database', matches: startsWith('53514c69746520666f726d6174'), convert: null },
  { name: 'a PDF', matches: startsWith('25504446'), convert: null },
];

/** Number of bytes that tell all formats. */
export const HEAD_BYTES = 512;

/** Throws {@link NotADump} when the first bytes of a file, or of its decompressed content, are of another kind. */
export function refuseOtherFormats(head: Buffer, file: string): void {
  const name = basename(file);
  const format = OTHER_FORMATS.find(({ matches }) => matches(head));
  if (format === undefined) return;
  const target = `${name.replace(/(?:\.(?:json|ndjson|jsonl|txt|xz|bz2|7z|zip|rar|lz4|lz|tar|tgz|gz|zst))*$/i, '')}.ndjson`;
  const remedy =
    format.convert === null
      ? 'A dump has one JSON object a line (.ndjson), plain or compressed with zstd or gzip'
      : `Convert it first: ${format.convert(quoted(name), quoted(target === name ? `${name}.ndjson` : target))}`;
  throw new NotADump(`${name} is ${format.name}, which cannot be imported. ${remedy}`);
}

/** Throws {@link NotADump} for a file in which no line can be read. */
export function refuseUnreadable(file: string, reason: string): never {
  throw new NotADump(
    `${basename(file)} is not a dump: ${reason}. A dump has one post or comment a line as JSON, plain or compressed with zstd or gzip`,
  );
}

/** A file name as one word of a shell command. */
const quoted = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

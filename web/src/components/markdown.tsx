import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { beginningOf } from './plain-text.ts';

/** Longer texts are shown up to here; the lexer must not hold the page. */
const MOST_CHARACTERS = 20_000;
/** The lexer takes time by the square of these characters: a text with more is shown as it is. */
const MARKUP = /[\\*_~[\]()!<>`#.+-]/g;
const MOST_MARKUP = 2_000;
/** Spaces that it takes the square of, too; shown, they are one. */
const LONG_SPACES = /[ \t]{100,}/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  '#x200b': '',
};

/**
 * A text of a stranger in Markdown. Its tokens become elements one by one, so that markup in the text stays text and
 * only addresses of the web become links; pictures become links, too.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="space-y-2 [overflow-wrap:anywhere]">
      {readMarkdown(beginningOf(text, MOST_CHARACTERS).replace(LONG_SPACES, ' '))}
    </div>
  );
}

/** The elements of a text, or the text itself if its markup cannot be read in time or is nested too deeply. */
function readMarkdown(text: string): ReactNode {
  if (text.length - text.replace(MARKUP, '').length <= MOST_MARKUP)
    try {
      return nodesOf(lexer(text, { gfm: true, breaks: true }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  return <p className="whitespace-pre-wrap">{text}</p>;
}

const nodesOf = (tokens: readonly Token[] | undefined): ReactNode[] =>
  (tokens ?? []).map((token, index) => <Fragment key={index}>{nodeOf(token as MarkedToken)}</Fragment>);

const withoutEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp|#x200b);/gi, (_all, name: string) => ENTITIES[name.toLowerCase()]!);

function nodeOf(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr className="border-line" />;
    case 'br':
      return <br />;
    case 'heading':
      return <p className="pt-1 font-semibold">{nodesOf(token.tokens)}</p>;
    case 'paragraph':
      return <p>{nodesOf(token.tokens)}</p>;
    case 'blockquote':
      return (
        <blockquote className="space-y-2 border-l-2 border-line pl-3 text-muted">
          {nodesOf(token.tokens)}
        </blockquote>
      );
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-lg bg-raised p-2.5 font-mono text-[12px] whitespace-pre"
        >
          {token.text}
        </pre>
      );
    case 'codespan':
      return <code className="rounded bg-raised px-1 text-[0.92em]">{withoutEntities(token.text)}</code>;
    case 'list':
      return <List {...token} />;
    case 'table':
      return <Table {...token} />;
    case 'strong':
      return <strong>{nodesOf(token.tokens)}</strong>;
    case 'em':
      return <em>{nodesOf(token.tokens)}</em>;
    case 'del':
      return <del>{nodesOf(token.tokens)}</del>;
    case 'link':
      return <OutsideLink address={token.href}>{nodesOf(token.tokens)}</OutsideLink>;
    case 'image':
      return <OutsideLink address={token.href}>{token.text || token.href}</OutsideLink>;
    case 'text':
      return token.tokens === undefined ? withoutEntities(token.text) : nodesOf(token.tokens);
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

function List({ ordered, start, items }: Tokens.List) {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag
      className={`space-y-1 pl-5 ${ordered ? 'list-decimal' : 'list-disc'}`}
      {...(ordered && start !== '' && { start })}
    >
      {items.map((item, index) => (
        <li key={index}>{nodesOf(item.tokens)}</li>
      ))}
    </Tag>
  );
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <div tabIndex={0} className="overflow-x-auto">
      <table className="text-left text-[13px]">
        <tbody>
          {[header, ...rows].map((row, index) => (
            <tr key={index} className="border-b border-line">
              {row.map((cell, column) => (
                <td key={column} className={`py-1 pr-4 ${index === 0 ? 'font-semibold' : ''}`}>
                  {nodesOf(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  const target = withoutEntities(address);
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) return children;
  return (
    <a href={target} target="_blank" rel="noreferrer noopener" className="text-accent underline">
      {children}
    </a>
  );
}

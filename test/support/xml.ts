import { SaxesParser } from 'saxes';

/** An element of an XML document. */
export interface XmlElement {
  /** Namespace and local name: `{http://www.w3.org/2005/Atom}entry`. */
  name: string;
  /** By name, those of a namespace as `{namespace}name`. */
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlElement[];
}

const nameOf = (uri: string, local: string): string => (uri === '' ? local : `{${uri}}${local}`);

/** Parses a document strictly, with namespaces; throws an Error for one that is not well-formed. */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('A feed has no document type');
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const given = Object.values(attributes).map((one) => [nameOf(one.uri, one.local), one.value]);
    const element = {
      name: nameOf(uri, local),
      attributes: Object.fromEntries(given) as Record<string, string>,
      text: '',
      children: [],
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const append = (text: string): void => {
    open.at(-1)!.text += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => open.pop());
  parser.write(document).close();
  return root.children[0]!;
}

/** The children with a name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

import { beginningOf } from '../../common/strings.js';

const MAX_NAME_LENGTH = 60;
/** Spaces, control characters, and those that change the direction of the text around them. */
const UNREADABLE = /[\p{C}\p{Z}]+/gu;

/** A program that may ask people for access. Its name is its own claim. */
export interface AssistantClient {
  id: string;
  name: string;
  /** The host whose document describes the program, which is no claim; null for one that registered. */
  host: string | null;
  redirects: string[];
}

/** The name of a client as people see it. */
export function shownName(claimed: string): string {
  const name = beginningOf(claimed.replaceAll(UNREADABLE, ' ').trim(), MAX_NAME_LENGTH);
  return name === '' ? 'An assistant' : name;
}

import type { PlatformSession } from '../platform.js';
import type { StreamText } from '../stream-batch.js';
import type { PolledList, PolledSource } from './polled-source.js';

/** What one reading of all lists of a source brought. */
export interface Pass {
  texts: StreamText[];
  gone: string[];
  /** All lists were read back to this time, in epoch milliseconds. */
  reached: number;
  /** Most pages of a list. */
  pages: number;
  /** When the source gave the oldest page, in epoch milliseconds. */
  givenAt: number;
}

/** Reads the lists of a source until what was written at `since` (epoch milliseconds), or as many pages as one pass may. */
export async function readPass(source: PolledSource, since: number, session: PlatformSession): Promise<Pass> {
  const pass: Pass = { texts: [], gone: [], reached: since, pages: 0, givenAt: Infinity };
  for (const list of source.lists) await readList(list, source.maxPages, since, session, pass);
  return pass;
}

async function readList(
  list: PolledList,
  maxPages: number,
  since: number,
  session: PlatformSession,
  pass: Pass,
): Promise<void> {
  let after: string | null = null;
  let oldest = Date.now();
  for (let pages = 1; ; pages += 1) {
    const page = await list(after, new Date(since), session);
    pass.texts.push(...page.texts);
    pass.gone.push(...(page.gone ?? []));
    pass.pages = Math.max(pass.pages, pages);
    pass.givenAt = Math.min(pass.givenAt, page.givenAt ?? Infinity);
    oldest = page.oldest ?? oldest;
    if (oldest < since || ((page.next === null || page.next === after) && !page.isCut)) return;
    if (pages >= maxPages || page.isCut) return void (pass.reached = Math.max(pass.reached, oldest));
    after = page.next;
  }
}

/** Empty pages in a row after which a listing has ended, although the last one links on. */
const MAX_EMPTY_PAGES = 10;

/** A page of a listing as received: the number of its items, and the cursor of the next page; null at the end. */
interface ReceivedPage {
  received: number;
  after: string | null;
}

/**
 * The page at a cursor, or the next one that has items: platforms take what visitors do not see out of a page, which can
 * leave it empty before the end.
 */
export async function filledPage<Page extends ReceivedPage>(
  after: string | null,
  read: (after: string | null) => Promise<Page>,
): Promise<Page> {
  let page = await read(after);
  for (let empty = 1; page.received === 0 && page.after !== null; empty += 1)
    page = empty < MAX_EMPTY_PAGES ? await read(page.after) : { ...page, after: null };
  return page;
}

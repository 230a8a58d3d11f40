type Close = () => Promise<unknown>;

const opened: Close[] = [];

/**
 * Closes something after the tests of the file that opened it, unless the returned function has closed it before. The
 * newest is closed first. Outside Jest only the returned function closes it.
 */
export function closedAfterTests(close: Close): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close().then(() => undefined));
  opened.push(closeOnce);
  return closeOnce;
}

export async function closeOpened(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

const POLL_MS = 500;

/**
 * Shuts this process down when the npm that runs it was killed. npm normally outlives its scripts, so a changed parent
 * means that npm has exited. Without npm, e.g. under a service manager, the parent may change and is not watched.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(poll);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  poll.unref();
}

const LOOK_EVERY_MS = 500;

/**
 * Ends this process in order when the npm that runs it was killed. npm outlives its scripts by itself, so another
 * parent means that it is gone; without npm in between, e.g. under a service manager, the parent may change.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}

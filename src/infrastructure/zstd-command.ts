import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';

/** Whether this machine has the `zstd` command, which replaces Node.js's own zstd in versions before 22.15. */
export function hasZstdCommand(): boolean {
  return spawnSync('zstd', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Yields the output of the `zstd` command for an input. After all output, throws the failure of the command or of the
 * input.
 */
export async function* runZstd(
  options: readonly string[],
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const child = spawn('zstd', ['-qc', ...options], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  // A failure to start is thrown where this promise is awaited.
  exited.catch(() => undefined);
  const fed = new Promise<Error | null | undefined>((resolve) =>
    pipeline(Readable.from(input, { objectMode: false }), child.stdin, resolve),
  );
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    // A command that rejects its input closes it early, so its own failure takes precedence.
    const failure = await fed;
    requireSuccess(((await exited) as [number | null])[0]);
    if (failure) throw failure;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Returns the output of the `zstd` command for some bytes. Throws when it fails. */
export function runZstdSync(options: readonly string[], input: Uint8Array): Buffer {
  const { status, stdout } = spawnSync('zstd', ['-qc', ...options], {
    input,
    maxBuffer: Infinity,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  requireSuccess(status);
  return stdout;
}

function requireSuccess(code: number | null): void {
  if (code !== 0) throw new Error(`zstd ended with ${code}`);
}

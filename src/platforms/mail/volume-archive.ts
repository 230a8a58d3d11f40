import type { PlatformSession } from '../platform.js';
import type { MailFiles } from './mail-files.js';
import type { MailMessage } from './mail-message.js';
import type { MailThread } from './mail-threads.js';
import type { MailVolume } from './mail-volumes.js';
import { MAX_BACK, neededFor, type PlacedThread, REACH, threadsIn } from './volume-window.js';

/** After the end of a volume, messages can still come into it for this time. */
const LATE_MS = 2 * 86_400_000;

/** A thread and the volume of its first message. */
export interface VolumeThread {
  thread: MailThread<MailMessage>;
  volume: MailVolume;
}

/** Threads whose latest message is in some volumes, and the volume at which a listing goes on; null at its end. */
export interface VolumePage {
  threads: VolumeThread[];
  next: string | null;
}

/** An archive that consists of mbox files by time. Its volumes are in the order of time, newest first. */
export class VolumeArchive {
  constructor(
    private readonly volumes: readonly MailVolume[],
    private readonly files: MailFiles,
    private readonly session: PlatformSession,
  ) {}

  /**
   * The threads with their latest message in the volume named `from` (null: the newest), latest activity first. With
   * `since`, those of all volumes that hold something since then, and no further page.
   */
  async page(from: string | null, since: Date | undefined): Promise<VolumePage> {
    const start = from === null ? 0 : this.volumes.findIndex(({ name }) => name === from);
    const end = since === undefined ? start : this.lastSince(since);
    if (start < 0 || start >= this.volumes.length || end < start) return { threads: [], next: null };
    const known = await this.read(Math.max(0, start - REACH), end);
    const isActive = ({ last }: PlacedThread<MailMessage>): boolean => last >= start && last <= end;
    let threads = threadsIn(known).filter(isActive);
    for (let oldest = end; ; threads = threadsIn(known).filter(isActive)) {
      const needed = Math.min(neededFor(threads), this.volumes.length - 1, end + MAX_BACK);
      if (needed <= oldest) break;
      for (const [index, messages] of await this.read(oldest + 1, needed)) known.set(index, messages);
      oldest = needed;
    }
    return {
      threads: threads.map(({ thread, first }) => ({ thread, volume: this.volumes[first]! })),
      next: since === undefined ? (this.volumes[end + 1]?.name ?? null) : null,
    };
  }

  /** The thread of which `isRoot` knows the first message, in the volume with this name and later ones; null without it. */
  async find(name: string, isRoot: (root: MailMessage) => boolean): Promise<MailThread<MailMessage> | null> {
    const first = this.volumes.findIndex((volume) => volume.name === name);
    if (first < 0) return null;
    let newest = Math.max(0, first - REACH);
    const known = await this.read(newest, first);
    for (;;) {
      const found = threadsIn(known).find(({ thread }) => isRoot(thread.root));
      const needed = Math.max(0, (found?.last ?? first) - REACH);
      if (found === undefined || needed >= newest) return found?.thread ?? null;
      for (const [index, messages] of await this.read(needed, newest - 1)) known.set(index, messages);
      newest = needed;
    }
  }

  /** The index of the oldest volume that can hold messages of a time and later; -1 when none can. */
  private lastSince(since: Date): number {
    return this.volumes.findLastIndex((_, index) => this.endOf(index) + LATE_MS > since.getTime());
  }

  /** When a volume ends: at the beginning of the next one. */
  private endOf(index: number): number {
    return index === 0 ? Infinity : this.volumes[index - 1]!.start;
  }

  /** The messages of volumes from the newest to the oldest of some; of one that is not there, none. */
  private async read(newest: number, oldest: number): Promise<Map<number, readonly MailMessage[]>> {
    const known = new Map<number, readonly MailMessage[]>();
    for (let index = newest; index <= oldest; index += 1) {
      const { file } = this.volumes[index]!;
      const messages = await this.files.mbox(file, this.endOf(index) + LATE_MS, this.session);
      known.set(index, messages ?? []);
    }
    return known;
  }
}

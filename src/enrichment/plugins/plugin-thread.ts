import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PluginContext, PluginItem } from './plugin.js';
import { type HookName, PluginEnded, type PluginHooks } from './plugin-hooks.js';

/** The thread's settings for loading its plugins. */
export interface ThreadData {
  /** Folder with the operator's own plugins. */
  folder: string | undefined;
  names: readonly string[];
  job: Omit<PluginContext, 'memory'>;
}

/** A hook to call. */
export interface HookCall {
  plugin: string;
  hook: HookName;
  items: readonly PluginItem<unknown>[];
}

/** The return value of a hook, or the message of its failure. */
export type HookResult = { kept: unknown } | { failure: string };

const HOOK_TIMEOUT_MS = 10_000;
/** Time to start a thread and load its plugins on a busy machine. */
const START_TIMEOUT_MS = 30_000;
/** Memory for the plugins of one execution. */
const MAX_HEAP_MB = 256;

/**
 * Calls plugins in a worker thread of one execution, one hook at a time. A hook that does not return in time ends the
 * thread, also while it computes; the next call starts a new one, in which the memories of all plugins are empty.
 */
export class PluginThread implements PluginHooks {
  private worker: Worker | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private readonly replies = new EventEmitter<{ message: [unknown]; ended: [string] }>();

  constructor(
    private readonly data: ThreadData,
    private readonly timeoutMs = HOOK_TIMEOUT_MS,
  ) {}

  call(plugin: string, hook: HookName, items: readonly PluginItem<unknown>[]): Promise<unknown> {
    const result = this.last.catch(() => undefined).then(() => this.callNow({ plugin, hook, items }));
    this.last = result;
    return result;
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private async callNow(call: HookCall): Promise<unknown> {
    if (this.worker === null) await this.start();
    const reply = this.reply(
      this.timeoutMs,
      `no answer within ${this.timeoutMs} ms; it was ended and is not used again in this execution`,
    );
    this.worker!.postMessage(call);
    const result = (await reply) as HookResult;
    if ('failure' in result) throw new Error(result.failure);
    return result.kept;
  }

  private async start(): Promise<void> {
    const worker = new Worker(new URL('./plugin-thread-main.js', import.meta.url), {
      workerData: this.data,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    this.worker = worker;
    const ended = (why: string): void => {
      if (this.worker !== worker) return;
      this.worker = null;
      this.replies.emit('ended', why);
    };
    worker.on('message', (message) => this.replies.emit('message', message));
    worker.on('error', (error: Error) => ended(`its thread ended: ${error.message}`));
    worker.on('exit', () => ended('its thread ended'));
    await this.reply(START_TIMEOUT_MS, 'the plugins could not be loaded in time');
  }

  /** The next message of the thread. Ends the thread when there is none in time. */
  private async reply(timeoutMs: number, expired: string): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.replies.once('message', resolve);
        this.replies.once('ended', (why) => reject(new PluginEnded(why)));
        timer = setTimeout(() => reject(new PluginEnded(expired)), timeoutMs);
      });
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      this.replies.removeAllListeners();
    }
  }
}

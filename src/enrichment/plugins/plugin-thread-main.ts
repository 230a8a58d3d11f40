import { parentPort, workerData } from 'node:worker_threads';
import { LocalHooks } from './plugin-hooks.js';
import { PluginRegistry } from './plugin-registry.js';
import type { HookCall, HookResult, ThreadData } from './plugin-thread.js';

const { folder, names, job } = workerData as ThreadData;
const hooks = new LocalHooks((await PluginRegistry.load(folder)).pick(names), job);
const port = parentPort!;

async function resultOf({ plugin, hook, items }: HookCall): Promise<HookResult> {
  try {
    return { kept: await hooks.call(plugin, hook, items) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (call: HookCall) => {
  void resultOf(call).then((result) => {
    try {
      port.postMessage(result);
    } catch (error) {
      // A return value that cannot be copied, such as one with functions.
      port.postMessage({ failure: (error as Error).message } satisfies HookResult);
    }
  });
});
port.postMessage('ready');

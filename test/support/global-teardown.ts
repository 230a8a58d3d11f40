import './global-setup.js';

export default async function tearDown(): Promise<void> {
  await globalThis.testServers?.stop();
}

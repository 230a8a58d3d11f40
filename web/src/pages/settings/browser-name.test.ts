import { expect, it } from 'vitest';
import { browserName } from './browser-name.ts';

it('names browser and system, and keeps what names neither', () => {
  const agents = [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'curl/8.5.0',
    'Assistant: Chrome/140.0 on Windows (read)',
  ];
  expect(agents.map(browserName)).toEqual([
    'Chrome, Linux',
    'Firefox, Windows',
    'Safari, macOS',
    'Edge, Windows',
    'curl/8.5.0',
    'Assistant: Chrome/140.0 on Windows (read)',
  ]);
});

import { get } from 'node:http';

// Downloads the given addresses in parallel, in a process of its own, so that the transfer does not slow the process
// that measures. Prints the number of bytes.
const [key, ...addresses] = process.argv.slice(2);

function download(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'X-API-Key': key }, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address} answered ${response.statusCode}`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    }).on('error', reject);
  });
}

const sizes = await Promise.all(addresses.map(download));
process.stdout.write(String(sizes.reduce((sum, size) => sum + size, 0)));

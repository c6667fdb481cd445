// A trivial venue for bench/client.ts, in a process of its own: accepts every order. Prints its port and lives until
// killed.
import { createServer } from 'node:http';

const BODY = '{"data":{"order_id":"1-9007199254740993-1"}}';
const HEADERS = {
  'content-type': 'application/json',
  'content-length': String(BODY.length),
  'x-ratelimit-limit': '1000',
};

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, HEADERS);
    response.end(BODY);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(String(typeof address === 'object' && address !== null ? address.port : 0));
});
// Ends with the process that started it.
process.stdin.resume().on('end', () => process.exit());

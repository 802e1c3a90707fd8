// files.mjs FOLDER [PORT]: serves the files of a folder as any static web server does, on loopback; says where, and what it sent.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const [folder, port = '0'] = process.argv.slice(2);
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.gz': 'application/octet-stream', '.woff2': 'font/woff2' };
let sent = 0;

const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://any').pathname));
  if (path === '/sent') return response.end(String(sent));
  try {
    const body = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path));
    sent += body.length;
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? (path.endsWith('/') ? 'text/html' : 'application/octet-stream') });
    response.end(body);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));

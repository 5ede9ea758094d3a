/** A stand-in for the service while the pages are worked on: `node portal/fake/main.ts`. Nothing of it is served to anybody. */
import { createServer } from 'node:http';
import { answerApi } from './api.ts';
import { answerFile } from './files.ts';
import { answerEvents, answerService } from './service.ts';

const PORT = Number(process.env.FAKE_PORT ?? 5174);

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  let text = '';
  for await (const chunk of request) text += chunk;
  const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  if (url.pathname.endsWith('/handset/events')) return answerEvents(response);
  if (url.pathname === '/verify' || url.pathname === '/confirm')
    return answerService(url.pathname, body, response);
  if (url.pathname.startsWith('/portal/api/')) return answerApi(request, url, body, response);
  return answerFile(url.pathname, response);
});
server.listen(PORT, '127.0.0.1', () => console.log(`http://localhost:${PORT}/portal/`));

import type { ServerResponse } from 'node:http';
import { sleep } from '@pulsewire/kernel';
import type { ResponseBehaviour } from './types.ts';

/** Sends the configured response. Resolves to whether the sender got a 2xx. */
export async function respond(response: ServerResponse, behaviour: ResponseBehaviour, closing: AbortSignal): Promise<boolean> {
  switch (behaviour.kind) {
    case 'respond':
      if (behaviour.delayMs) await sleep(behaviour.delayMs, closing);
      if (response.destroyed) return false;
      response.writeHead(behaviour.status).end();
      return behaviour.status >= 200 && behaviour.status < 300;
    case 'hang':
      return false;
    case 'redirect':
      response.writeHead(302, { location: behaviour.location }).end();
      return false;
    case 'drip':
      response.writeHead(200, { 'content-length': behaviour.bytes });
      for (let sent = 0; sent < behaviour.bytes && !response.destroyed && !closing.aborted; sent++) {
        response.write('.');
        await sleep(behaviour.everyMs, closing);
      }
      response.end();
      return !response.destroyed && !closing.aborted;
  }
}

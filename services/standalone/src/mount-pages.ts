import type { LinkContext } from '@pulsewire/connections';
import type { Clock, Logger } from '@pulsewire/kernel';
import { linkPageRoutes } from '@pulsewire/service-console';
import { createLocalTransport, portalRoot, portalRoutes } from '@pulsewire/service-portal';

export interface PagesOptions {
  readonly isPortalOn: boolean;
  readonly secret: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const hidden: Record<string, unknown> = { hide: true };

type Mount = Parameters<typeof linkPageRoutes>[0];

/** Mounts the pages for people into the API's server: the link page, the portal, and the start, which leads to one of them. */
export async function mountPages(app: Mount, links: LinkContext, { isPortalOn, ...rest }: PagesOptions): Promise<void> {
  await linkPageRoutes(app, { links });
  if (isPortalOn) await portalRoutes(app, { ...rest, root: portalRoot, apiUrl: links.baseUrl, transport: createLocalTransport(app) });
  if (new URL(links.linkWebUrl()).pathname === '/') return;
  const location = isPortalOn ? portalRoot : '/docs';
  app.get('/', { schema: hidden }, async (_request, reply) => reply.code(303).header('location', location).send(''));
}

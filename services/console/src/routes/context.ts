import type { LinkContext } from '@pulsewire/connections';
import type { Limiter } from '../http/limiter.ts';
import type { Places } from '../pages/view.ts';

/** Dependencies of the page's routes. */
export interface PageContext {
  readonly links: LinkContext;
  readonly places: Places;
  /** Limits all requests of a link. */
  readonly requests: Limiter;
  /** Limits the forms of a link that are sent to a provider: names, passwords, codes, addresses. */
  readonly attempts: Limiter;
}

/** A request for the routes. */
export interface PageRequest {
  /** Unchecked; the use cases verify it. */
  readonly token: string | undefined;
  /** A value of the query or of the form; undefined when there is none, or more than one. */
  readonly value: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly traceId: string;
}

import type { LinkContext } from '@pulsewire/connections';
import type { Limiter } from '../http/limiter.ts';
import type { Places } from '../pages/view.ts';

/** What the routes of the page work with. */
export interface PageContext {
  readonly links: LinkContext;
  readonly places: Places;
  /** Everything that is asked with a link. */
  readonly requests: Limiter;
  /** What goes on to a provider with a link: names, passwords, codes, addresses. */
  readonly tries: Limiter;
}

/** A request as the routes see it. */
export interface PageRequest {
  /** As it came, if it came; whose it is the use cases find out. */
  readonly token: string | undefined;
  /** A value of the query or of the form; undefined when there is none, or more than one. */
  readonly value: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly traceId: string;
}

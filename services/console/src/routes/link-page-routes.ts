import { closeLinkPage, describeLinkPage, type LinkContext } from '@pulsewire/connections';
import { isAppError, minuteMs } from '@pulsewire/kernel';
import { currentTrace, newTrace, parseTraceparent, runWithTrace, type Trace } from '@pulsewire/runtime';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAssets } from '../http/assets.ts';
import { createLimiter } from '../http/limiter.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { internalError, tooManyAttempts } from '../messages/link-errors.ts';
import { closedView, stopView } from '../pages/ending.ts';
import { renderPage } from '../pages/render-page.ts';
import type { Places } from '../pages/view.ts';
import { showConfirmation, confirmLink } from './confirm-link.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse, redirectAfterForm, safeLocation } from './end-response.ts';
import { goToProvider } from './go-to-provider.ts';
import { showLinkPage } from './show-link-page.ts';
import { submitCode } from './submit-code.ts';
import { submitForm } from './submit-form.ts';

/** The value of a cookie of a request; undefined when there is none. Of several with one name the first counts, the most specific one. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** POST of the close button: stores `user_cancelled` and redirects with `on_close`. */
async function closePage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'form');
  const location = safeLocation(await closeLinkPage(context.links, token));
  return location === null ? showPage(closedView(context.places, token)) : redirectAfterForm(location);
}

export interface LinkPageOptions {
  /** `linkWebUrl` has the path where the page is mounted; a proxy in front must keep that path. */
  readonly links: LinkContext;
}

type Handler = (context: PageContext, request: PageRequest) => Promise<PageResponse>;

// Far more than two tokens, a name and a password.
const bodyBytesMax = 16 * 1024;
// For one link: far more than a user needs, far fewer than guessing needs.
const requestsMax = { max: 300, perMs: 10 * minuteMs };
const attemptsMax = { max: 15, perMs: 10 * minuteMs };
const hidden: Record<string, unknown> = { hide: true };
const yearS = 31_536_000;

function valuesOf(request: FastifyRequest): (name: string) => string | undefined {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
  return (name) => {
    const [value, ...more] = form.getAll(name);
    return more.length === 0 ? value : undefined;
  };
}

// The server that mounts the page may have started a trace.
function traceOf(request: FastifyRequest): Trace {
  const existing = (request as { readonly trace?: Trace | null }).trace;
  return existing ?? newTrace(parseTraceparent(request.headers.traceparent as string | undefined) ?? currentTrace());
}

/** Mounts the link page into a server. It requires only a link token; request data is never logged. */
export async function linkPageRoutes(app: FastifyInstance, { links }: LinkPageOptions): Promise<void> {
  const root = new URL(links.linkWebUrl()).pathname.replace(/\/+$/, '');
  const { style, script, icon } = readAssets();
  const href = ({ fileName }: { readonly fileName: string }) => `${root}/assets/${fileName}`;
  const places: Places = {
    root,
    styleHref: href(style),
    scriptHref: href(script),
    iconHref: href(icon),
    logoFor: (slug) => `${links.baseUrl()}/logos/${slug}.svg`,
  };
  const context: PageContext = {
    links,
    places,
    requests: createLimiter({ clock: links.clock, ...requestsMax }),
    attempts: createLimiter({ clock: links.clock, ...attemptsMax }),
  };

  function send(reply: FastifyReply, response: PageResponse): FastifyReply {
    const headers = pageHeaders(new URL(links.baseUrl()).origin);
    if (response.kind === 'redirect')
      return reply
        .code(303)
        .headers({ ...headers, ...response.headers, location: response.location })
        .send('');
    return reply
      .code(response.status)
      .headers({ ...headers, ...response.headers })
      .send(renderPage(response.view, places));
  }

  function handled(handler: Handler) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const value = valuesOf(request);
      const token = value('token');
      const waitS = token === undefined ? null : context.requests.take(token);
      if (waitS !== null) return send(reply.header('retry-after', String(waitS)), showPage(stopView(tooManyAttempts), 429));
      const cookie = (name: string) => cookieOf(request.headers.cookie, name);
      const trace = traceOf(request);
      return send(reply, await runWithTrace(trace, () => handler(context, { token, value, cookie, traceId: trace.traceId })));
    };
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, body, done) => {
        const form = new URLSearchParams(body.toString());
        const texts = [...form].flat();
        // U+FFFD replaces bytes that are not UTF-8: the name or password would be changed.
        if (texts.every((text) => !/[\0\uFFFD]/.test(text))) return done(null, form);
        done(Object.assign(new Error('The form is not valid UTF-8'), { statusCode: 400 }));
      },
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
      if (status === 500)
        links.logger.error({ route: request.routeOptions.url, error }, isAppError(error) ? 'link_page.failed' : 'link_page.crashed');
      return send(reply, showPage(stopView(internalError), status));
    });
    const page = (method: 'GET' | 'POST', path: string, handler: Handler) =>
      scope.route({ method, url: `${root}${path}` || '/', schema: hidden, bodyLimit: bodyBytesMax, handler: handled(handler) });
    page('GET', '', showLinkPage);
    page('GET', '/start', goToProvider);
    page('GET', '/confirm', showConfirmation);
    page('POST', '/confirm', confirmLink);
    page('POST', '/form', submitForm);
    page('POST', '/code', submitCode);
    page('POST', '/close', closePage);
    for (const asset of [style, script, icon]) {
      scope.get(href(asset), { schema: hidden, logLevel: 'silent' }, async (_request, reply) =>
        reply
          .headers({
            'content-type': asset.contentType,
            'cache-control': `public, max-age=${yearS}, immutable`,
            'x-content-type-options': 'nosniff',
            'content-security-policy': "default-src 'none'",
          })
          .send(asset.body),
      );
    }
  });
}

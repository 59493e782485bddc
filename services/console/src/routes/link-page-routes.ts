import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkContext } from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { currentTrace, newTrace, parseTraceparent, runWithTrace, type Trace } from '@pulsewire/runtime';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { cookieOf } from '../http/cookies.ts';
import { readAssets } from '../http/assets.ts';
import { createLimiter } from '../http/limiter.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { stopView } from '../pages/ending.ts';
import { renderPage } from '../pages/render-page.ts';
import type { Places } from '../pages/view.ts';
import { ourFault, tooManyTries } from '../words/link-errors.ts';
import { closePage } from './close-page.ts';
import { askToConfirm, confirmLink } from './confirm-link.ts';
import type { PageContext, PageRequest } from './context.ts';
import { goToProvider } from './go-to-provider.ts';
import { showLinkPage } from './show-link-page.ts';
import { submitCode } from './submit-code.ts';
import { submitForm } from './submit-form.ts';

export interface LinkPageOptions {
  /** `linkWebUrl` says below which path the page is mounted; a proxy in front must keep that path. */
  readonly links: LinkContext;
}

type Handler = (context: PageContext, request: PageRequest) => Promise<PageAnswer>;

// Two tokens, a name and a password are far below it.
const bodyBytesMax = 16 * 1024;
const minuteMs = 60_000;
// For one link: far more than a person needs, far fewer than guessing does.
const requestsMax = { max: 300, perMs: 10 * minuteMs };
const triesMax = { max: 15, perMs: 10 * minuteMs };
const hidden: Record<string, unknown> = { hide: true };
const yearS = 31_536_000;

function valuesOf(request: FastifyRequest): (name: string) => string | undefined {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
  return (name) => {
    const [value, ...more] = form.getAll(name);
    return more.length === 0 ? value : undefined;
  };
}

// The server that carries the page may have begun a trace; else one begins here.
function traceOf(request: FastifyRequest): Trace {
  const begun = (request as { readonly trace?: Trace | null }).trace;
  return begun ?? newTrace(parseTraceparent(request.headers.traceparent as string | undefined) ?? currentTrace());
}

/** Mounts the link page into a server. It asks for nothing but a link token; nothing that came in is ever logged. */
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
    tries: createLimiter({ clock: links.clock, ...triesMax }),
  };

  function send(reply: FastifyReply, answer: PageAnswer): FastifyReply {
    const headers = pageHeaders(new URL(links.baseUrl()).origin);
    if (answer.kind === 'redirect')
      return reply
        .code(303)
        .headers({ ...headers, ...answer.headers, location: answer.location })
        .send('');
    return reply
      .code(answer.status)
      .headers({ ...headers, ...answer.headers })
      .send(renderPage(answer.view, places));
  }

  function handled(handler: Handler) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const value = valuesOf(request);
      const token = value('token');
      const waitS = token === undefined ? null : context.requests.take(token);
      if (waitS !== null) return send(reply.header('retry-after', String(waitS)), showPage(stopView(tooManyTries), 429));
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
        // U+FFFD stands for what was not UTF-8: a name or a password that was read as another one.
        if (texts.every((text) => !/[\0\uFFFD]/.test(text))) return done(null, form);
        done(Object.assign(new Error('The form has broken characters'), { statusCode: 400 }));
      },
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
      if (status === 500)
        links.logger.error({ route: request.routeOptions.url, error }, isAppError(error) ? 'link_page.failed' : 'link_page.crashed');
      return send(reply, showPage(stopView(ourFault), status));
    });
    const page = (method: 'GET' | 'POST', path: string, handler: Handler) =>
      scope.route({ method, url: `${root}${path}` || '/', schema: hidden, bodyLimit: bodyBytesMax, handler: handled(handler) });
    page('GET', '', showLinkPage);
    page('GET', '/start', goToProvider);
    page('GET', '/confirm', askToConfirm);
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

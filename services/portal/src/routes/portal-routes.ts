import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createCaller, type ApiTransport, type Caller } from '../api/caller.ts';
import { ApiRefusal } from '../api/portal-error.ts';
import { readAssets } from '../http/assets.ts';
import { assetHeaders, pageHeaders } from '../http/page-headers.ts';
import { createUnsentPages } from '../http/unsent-pages.ts';
import { failureView, missingScopeView, refusalView } from '../pages/messages.ts';
import { renderPage } from '../pages/render-page.ts';
import { signInView, type SignInProblem } from '../pages/sign-in.ts';
import { hasScope, type Frame, type View, type Viewer } from '../pages/view.ts';
import { createSessionCookie } from '../session/cookies.ts';
import { createFormTokens, isFromOwnPage } from '../session/form-token.ts';
import { createSealer, type Session } from '../session/sealed-session.ts';
import { actions, type Action } from './actions.ts';
import { pageRoutes, type PageRoute } from './pages.ts';
import { readSession, touch } from './read-session.ts';

export interface PortalOptions {
  /** Path of the portal, without a trailing slash; a proxy in front must keep it. */
  readonly root: string;
  /** Address of the API as its users reach it, and of the portal. */
  readonly apiUrl: () => string;
  /** Of the installation; sealed sessions and tokens of forms are derived from it. */
  readonly secret: string;
  readonly transport: ApiTransport;
  /** Unread characters of a team's pages beyond which it gets no more. */
  readonly unsentMax?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface CallingKey {
  readonly team_id: string;
  readonly team_name: string;
  readonly is_sandbox: boolean;
  readonly label: string;
  readonly scopes?: readonly string[] | null;
  readonly expires_at?: string | null;
}

const hidden: Record<string, unknown> = { hide: true };
// A key, a token and a name at most.
const bodyBytesMax = 8 * 1024;
const keyForm = /^[\x21-\x7e]{8,512}$/;
const ended: SignInProblem = { title: 'Signed out', text: 'The session has ended, or its key is no longer valid. Sign in again.' };
const refusedKey: SignInProblem = {
  title: 'The key was refused',
  text: 'It is unknown, expired or revoked. Check that all of it was pasted.',
};

/** Mounts the portal into a server. Everything that it shows comes from the public API, with the key of the session. */
export async function portalRoutes(app: FastifyInstance, options: PortalOptions): Promise<void> {
  const { root, apiUrl, secret, transport, clock, logger } = options;
  const assets = readAssets();
  const href = ({ fileName }: { readonly fileName: string }) => `${root}/assets/${fileName}`;
  const sessions = {
    sealer: createSealer(secret),
    cookie: createSessionCookie({ isSecure: apiUrl().startsWith('https:'), root: root === '' ? '/' : root }),
  };
  const tokens = createFormTokens(secret);
  const nowMs = () => clock.now().getTime();

  const frameOf = (session: Session | null, viewer: Viewer | null): Frame => ({
    root,
    styleHref: href(assets.style),
    scriptHref: href(assets.script),
    iconHref: href(assets.icon),
    apiUrl: apiUrl(),
    viewer,
    formToken: session === null ? '' : tokens.of(session.id),
    now: clock.now(),
  });
  const unsent = createUnsentPages(options.unsentMax);
  const show = (reply: FastifyReply, view: View, frame: Frame, status = 200) => {
    const page = renderPage(view, frame);
    if (frame.viewer) unsent.hold(frame.viewer.teamId, reply.raw, page.length);
    return reply.code(status).headers(pageHeaders).send(page);
  };
  const showSignIn = (reply: FastifyReply, problem: SignInProblem | null, status = 200) =>
    show(reply.header('set-cookie', sessions.cookie.clear()), signInView(root, problem), frameOf(null, null), status);
  const redirect = (reply: FastifyReply, location: string) =>
    reply
      .code(303)
      .headers({ ...pageHeaders, location })
      .send('');
  const callerOf = (request: FastifyRequest, key: string): Caller => createCaller(transport, key, request.ip);
  const sessionOf = (request: FastifyRequest) => readSession(sessions, request.headers.cookie, nowMs());

  async function readViewer(api: Caller): Promise<Viewer> {
    const key = await api.get<CallingKey>('/v2/team/api_key/current');
    return {
      teamId: key.team_id,
      teamName: key.team_name,
      isSandbox: key.is_sandbox,
      label: key.label,
      scopes: key.scopes ?? null,
      expiresAt: key.expires_at ?? null,
    };
  }

  /** What the API refused, as a page. A key that is no longer valid ends the session. */
  function showRefusal(reply: FastifyReply, error: unknown, frame: Frame, route: string): FastifyReply {
    if (error instanceof ApiRefusal) {
      if (error.status === 401) return showSignIn(reply, ended, 401);
      return show(reply, refusalView(error, root), frame, error.status >= 500 ? 502 : error.status === 422 ? 400 : error.status);
    }
    logger.error({ route, error }, 'portal.failed');
    return show(reply, failureView(root), frame, 500);
  }

  async function showRoute(route: PageRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = sessionOf(request);
    if (session === null) return redirect(reply, `${root}/sign-in`);
    const api = callerOf(request, session.key);
    let frame = frameOf(session, null);
    try {
      const viewer = await readViewer(api);
      if (!unsent.admits(viewer.teamId)) throw new ApiRefusal(429, 'Pages that were requested before have not been read.');
      frame = frameOf(session, viewer);
      if (!hasScope(viewer, route.scope)) return await show(reply, missingScopeView(route.scope, root), frame, 403);
      const params = request.params as Readonly<Record<string, string>>;
      const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
      const view = await route.make({
        api,
        frame,
        viewer,
        param: (name) => params[name] ?? '',
        query: (name) => query.get(name)?.trim() || undefined,
        isRevealed: (userId) => session.revealed.includes(userId),
      });
      const kept = touch(sessions, session, nowMs());
      return await show(kept === null ? reply : reply.header('set-cookie', kept), view, frame);
    } catch (error) {
      return showRefusal(reply, error, frame, route.path);
    }
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const key = (request.body as URLSearchParams).get('key')?.trim() ?? '';
    if (!isFromOwnPage(request.headers)) return showSignIn(reply, ended, 403);
    if (!keyForm.test(key)) return showSignIn(reply, refusedKey, 401);
    try {
      await readViewer(callerOf(request, key));
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.status === 401) return showSignIn(reply, refusedKey, 401);
      return showSignIn(reply, { title: 'Not signed in', text: error.detail }, error.status);
    }
    const session = { id: randomUUID(), key, startedMs: nowMs(), seenMs: nowMs(), revealed: [] };
    return redirect(reply.header('set-cookie', sessions.cookie.write(sessions.sealer.seal(session))), root || '/');
  }

  async function act(action: Action, request: FastifyRequest, reply: FastifyReply, session: Session): Promise<FastifyReply> {
    const params = request.params as Readonly<Record<string, string>>;
    const values = request.body as URLSearchParams;
    const api = callerOf(request, session.key);
    try {
      const location = await action.run({
        api,
        root,
        param: (name) => encodeURIComponent(params[name] ?? ''),
        value: (name) => values.get(name)?.trim() ?? '',
      });
      return await redirect(reply, location);
    } catch (error) {
      return showRefusal(reply, error, frameOf(session, await readViewer(api).catch(() => null)), action.path);
    }
  }

  async function reveal(request: FastifyRequest, reply: FastifyReply, session: Session): Promise<FastifyReply> {
    const { userId = '' } = request.params as Readonly<Record<string, string>>;
    try {
      await callerOf(request, session.key).send('POST', `/v2/user/${encodeURIComponent(userId)}/reveal`);
    } catch (error) {
      return showRefusal(reply, error, frameOf(session, null), 'reveal');
    }
    const revealed = [...session.revealed.filter((one) => one !== userId), userId];
    const back = backTo(request, root) ?? `${root}/users/${encodeURIComponent(userId)}`;
    return redirect(
      reply.header('set-cookie', sessions.cookie.write(sessions.sealer.seal({ ...session, revealed, seenMs: nowMs() }))),
      back,
    );
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
      if (status === 500) logger.error({ route: request.routeOptions.url, error }, 'portal.crashed');
      return show(reply, failureView(root), frameOf(null, null), status);
    });
    const form = (path: string, handle: (request: FastifyRequest, reply: FastifyReply, session: Session) => Promise<FastifyReply>) =>
      scope.post(`${root}${path}`, { schema: hidden, bodyLimit: bodyBytesMax }, async (request, reply) => {
        const session = sessionOf(request);
        if (session === null) return showSignIn(reply, ended, 401);
        const token = request.body instanceof URLSearchParams ? request.body.get('form_token') : null;
        if (!isFromOwnPage(request.headers) || !tokens.isValid(session.id, token ?? undefined))
          return show(
            reply,
            refusalView(new ApiRefusal(403, 'The form was not sent from a page of this session.'), root),
            frameOf(null, null),
            403,
          );
        return handle(request, reply, session);
      });
    for (const route of pageRoutes)
      scope.get(`${root}${route.path}` || '/', { schema: hidden }, (request, reply) => showRoute(route, request, reply));
    scope.get(`${root}/sign-in`, { schema: hidden }, async (request, reply) =>
      sessionOf(request) === null ? showSignIn(reply, null) : redirect(reply, root || '/'),
    );
    scope.post(`${root}/sign-in`, { schema: hidden, bodyLimit: bodyBytesMax }, async (request, reply) =>
      request.body instanceof URLSearchParams ? signIn(request, reply) : showSignIn(reply, refusedKey, 400),
    );
    form('/sign-out', async (_request, reply) => redirect(reply.header('set-cookie', sessions.cookie.clear()), `${root}/sign-in`));
    form('/users/:userId/reveal', reveal);
    for (const action of actions) form(action.path, (request, reply, session) => act(action, request, reply, session));
    for (const asset of Object.values(assets))
      scope.get(href(asset), { schema: hidden, logLevel: 'silent' }, async (_request, reply) =>
        reply.headers({ ...assetHeaders, 'content-type': asset.contentType }).send(asset.body),
      );
  });
}

/** The page of ours from which a form was sent; null for any other address. */
function backTo({ headers }: FastifyRequest, root: string): string | null {
  const { referer, host } = headers;
  if (typeof referer !== 'string' || !URL.canParse(referer)) return null;
  const url = new URL(referer);
  return url.host === host && url.pathname.startsWith(`${root}/`) ? `${url.pathname}${url.search}` : null;
}

import type { WebhookBody } from '@pulsewire/contract';
import { urlOf, type Caller } from '../api/caller.ts';

/** One submitted form of a session. */
export interface ActionRequest {
  readonly api: Caller;
  readonly root: string;
  /** Of the path, encoded for a path. */
  param(name: string): string;
  /** A field of the form, trimmed; empty text for an absent one. */
  value(name: string): string;
}

/** A form that changes something through the API. Returns the page to show next. */
export interface Action {
  readonly path: string;
  run(request: ActionRequest): Promise<string>;
}

interface Refreshed {
  readonly in_progress_sources: readonly string[];
  readonly failed_sources: readonly string[];
}

const after = (page: string, code: string) => urlOf(page, { said: code });

/** Whether the host of the endpoint was typed, as its page asks before what cannot be taken back. */
async function isConfirmed({ api, param, value }: ActionRequest): Promise<boolean> {
  const endpoint = await api.get<WebhookBody>(`/v2/team/webhook/${param('endpointId')}`);
  return value('typed') === new URL(endpoint.url).host;
}

const endpointAction = (
  name: string,
  code: string,
  needsTyping: boolean,
  send: (request: ActionRequest, path: string) => Promise<unknown>,
): Action => ({
  path: `/endpoints/:endpointId/${name}`,
  async run(request) {
    const id = request.param('endpointId');
    const page = `${request.root}/endpoints/${id}`;
    if (needsTyping && !(await isConfirmed(request))) return after(page, 'not-typed');
    await send(request, `/v2/team/webhook/${id}`);
    return after(page, code);
  },
});

export const actions: readonly Action[] = [
  {
    path: '/deliveries/:messageId/resend',
    async run({ api, root, param, value }) {
      const url = `/v2/team/webhook/${encodeURIComponent(value('endpoint'))}/message/${param('messageId')}/resend`;
      const { status } = await api.send<{ readonly status: string }>('POST', url);
      return after(`${root}/deliveries/${param('messageId')}`, status);
    },
  },
  {
    path: '/endpoints/:endpointId/test',
    async run({ api, root, param, value }) {
      const sent = await api.send<{ readonly message_id: string; readonly status: string }>(
        'POST',
        `/v2/team/webhook/${param('endpointId')}/test`,
        {
          event_type: value('event_type'),
        },
      );
      return after(`${root}/deliveries/${sent.message_id}`, sent.status);
    },
  },
  endpointAction('disable', 'disabled', true, ({ api }, path) => api.send('PATCH', path, { disabled: true })),
  endpointAction('enable', 'enabled', false, ({ api }, path) => api.send('PATCH', path, { disabled: false })),
  endpointAction('rotate', 'rotated', true, ({ api }, path) => api.send('POST', `${path}/secret/rotate`, {})),
  endpointAction('recover', 'recovering', false, ({ api, value }, path) =>
    api.send('POST', `${path}/recover`, { since: `${value('since')}T00:00:00Z` }),
  ),
  {
    path: '/users/:userId/refresh',
    async run({ api, root, param }) {
      const { in_progress_sources: open, failed_sources: failed } = await api.send<Refreshed>(
        'POST',
        `/v2/user/refresh/${param('userId')}?timeout=5`,
      );
      return after(`${root}/users/${param('userId')}`, failed.length > 0 ? 'partly' : open.length > 0 ? 'refreshing' : 'refreshed');
    },
  },
  {
    path: '/users/create',
    async run({ api, root, value }) {
      const { user_id: userId } = await api.send<{ readonly user_id: string }>('POST', '/v2/user', {
        client_user_id: value('client_user_id'),
      });
      return after(`${root}/users/${userId}`, 'created');
    },
  },
];

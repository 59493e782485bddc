import type { ApiRoute, PushSpec, UserCall } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { seconds } from './documents.ts';

const categories: Readonly<Record<Change['kind'], string | null>> = {
  activity: '16',
  workout: '16',
  sleep: '44',
  body: '1',
  blood_pressure: '4',
  glucose: null,
  meal: null,
};

const targetsOf = ({ parts, grant }: UserCall) =>
  parts.pushes.targets().filter(({ clientId, details }) => clientId === grant.clientId && details['userid'] === grant.providerUserId);

/** The address must respond to HEAD with 2xx before it is called. */
async function subscribe(call: UserCall): Promise<object> {
  const [url, appli] = [call.form.get('callbackurl') ?? '', call.form.get('appli') ?? ''];
  if (!URL.canParse(url) || url.length > 255 || !/^\d+$/.test(appli)) throw invalid('Invalid Params: invalid callbackurl');
  const response = await requestAddress(url, { method: 'HEAD' });
  if (response === undefined || response.status > 299) throw invalid('Invalid Params: the callback did not respond');
  const isKnown = targetsOf(call).some(({ callbackUrl, details }) => callbackUrl === url && details['appli'] === appli);
  const details = { userid: call.grant.providerUserId, appli };
  if (!isKnown) call.parts.pushes.add({ clientId: call.grant.clientId, callbackUrl: url, verificationCode: '', details });
  call.parts.save();
  return {};
}

const actions: Readonly<Record<string, (call: UserCall) => object | Promise<object>>> = {
  subscribe,
  list: (call) => ({
    profiles: targetsOf(call).map(({ callbackUrl, details }) => ({
      appli: Number(details['appli']),
      callbackurl: callbackUrl,
      comment: '',
    })),
  }),
};

export const notifyRoute: ApiRoute = {
  kind: 'notify',
  method: 'POST',
  path: '/notify',
  auth: 'user',
  async respond(call) {
    const action = actions[call.form.get('action') ?? ''];
    if (!action) throw invalid('Invalid Params: unknown action');
    return { body: { status: 0, body: await action(call) } };
  },
};

const formType = 'application/x-www-form-urlencoded';

/** Notifications: forms with a category and a time range, not signed. */
export const withingsPushes: PushSpec = {
  messages({ kind, action, startMs, endMs }, { providerUserId }) {
    const appli = categories[kind];
    if (appli === null || action === 'deleted') return [];
    const form = { userid: providerUserId, appli, startdate: String(seconds(startMs)), enddate: String(seconds(endMs)) };
    return [{ topic: appli, contentType: formType, body: new URLSearchParams(form).toString() }];
  },
  concerns: ({ details }, { topic }, { providerUserId }) => details['userid'] === providerUserId && details['appli'] === topic,
  revocation: ({ providerUserId }) => [
    { contentType: formType, body: new URLSearchParams({ userid: providerUserId, appli: '46', action: 'unlink' }).toString() },
  ],
  isAccepted: (status) => status < 400,
};

import { errorCode } from '@pulsewire/kernel';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { SubscribeCall } from '../kit/types/connector.ts';

/** Categories by the scope that they need; 46 reports the end of a consent. */
const categories: Readonly<Record<string, readonly string[]>> = {
  'user.metrics': ['1', '2', '4', '54'],
  'user.activity': ['16', '44'],
  'user.info': ['46'],
};

const path = '/notify';

/**
 * One subscription for each category that the user granted; those that already call this address are kept. They are never deleted
 * here: another user's connection may use the same ones, and a revocation ends them.
 */
export async function subscribeWithings({ http, user, address }: Omit<SubscribeCall, 'subscriptionId'>): Promise<void> {
  if (address === null) return;
  const { callbackUrl } = address;
  const list = await http.post(path, { form: { action: 'list' }, isRead: true });
  const profiles = readEach('subscription', new JsonNode(list.body).at('body').at('profiles'), [], (item) => ({
    appli: item.at('appli').id(),
    url: item.at('callbackurl').text(),
  }));
  const known = new Set(profiles.flatMap(({ appli, url }) => (url === callbackUrl ? [appli] : [])));
  const wanted = Object.entries(categories).flatMap(([scope, ofScope]) => (user.grantedScopes.includes(scope) ? ofScope : []));
  let refused = 0;
  for (const appli of wanted) {
    if (known.has(appli)) continue;
    try {
      await http.post(path, { form: { action: 'subscribe', callbackurl: callbackUrl, appli } });
    } catch (error) {
      // The scope of each category is undocumented: one that was not granted must not prevent the others, least of all 46, the end
      // of the consent.
      refused += 1;
      if (errorCode(error) !== 'provider_scope_missing' || refused === wanted.length) throw error;
    }
  }
}

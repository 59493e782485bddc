import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiCall } from '../kit/definition/definition.ts';

/** The hosts of the service, as folders: the sign-in page, and per region the accounts and the data. */
export const hostPaths = {
  site_us: '/sso',
  site_eu: '/sso',
  login_us: '/tdcservices',
  login_eu: '/tdcservices-eu',
  us: '/source',
  eu: '/source-eu',
} as const;

/** The web page of each region, whose requests the firewall accepts. */
export const pageOrigins = { us: 'https://source.tandemdiabetes.com', eu: 'https://source.eu.tandemdiabetes.com' } as const;

/** The web applications of both regions, with the addresses that they end a login at. */
export const webApps = {
  us: { clientIds: ['0oa4wnbvtladeyVZX4h7', '0oa27ho9tpZE9Arjy4h7'], redirectUri: 'https://sso.tandemdiabetes.com/auth/callback' },
  eu: {
    clientIds: ['1519e414-eeec-492e-8c5e-97bea4815a10'],
    redirectUri: 'https://source.eu.tandemdiabetes.com/authorize/callback',
  },
} as const;

/** The region of the host that a request was sent to. */
export const regionOf = ({ path }: Pick<ApiCall, 'path'>): 'us' | 'eu' => (path.split('/')[1]?.endsWith('-eu') === true ? 'eu' : 'us');

/** Accounts exist only in their own region. */
export const livesHere = (call: Pick<ApiCall, 'path'>, { region }: SimAccount): boolean =>
  regionOf(call) === (region === 'eu' ? 'eu' : 'us');

import type { SimulatorCapabilities } from '../types.ts';

/** What most providers with OAuth can do: spread it first, then set what differs. */
export const oauthCapabilities = {
  auth: 'oauth',
  refresh: true,
  revocation: true,
  push: null,
  removes: [],
  pages: false,
  truth: true,
} as const satisfies SimulatorCapabilities;

/** The same with a password. Access ends with a change of the password: no call that revokes it is known. */
export const passwordCapabilities = {
  ...oauthCapabilities,
  auth: 'password',
  hasNoRevocationCall: true,
} as const satisfies SimulatorCapabilities;

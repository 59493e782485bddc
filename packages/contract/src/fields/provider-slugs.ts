/**
 * The provider slugs that the HTTP interface promises by name. All other slugs come from the registry of `packages/providers`, whose
 * tests check that every connector links in the way listed here.
 */

/** Linked with a user name and password. A slug without a connector in this installation is accepted and refused by the link result. */
export const passwordProviders = [
  'abbott_libreview',
  'beurer_api',
  'dexcom',
  'eight_sleep',
  'hammerhead',
  'kardia',
  'my_fitness_pal',
  'peloton',
  'renpho',
  'tandem_source',
  'whoop',
  'zwift',
] as const;

/** Linked by an e-mail address. */
export const emailProviders = ['freestyle_libre'] as const;

/** Offered to sandbox teams with generated data. */
export const demoProviders = ['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'] as const;

import { dataCodes } from './data-codes.ts';
import { labCodes } from './lab-codes.ts';
import { linkingCodes } from './linking-codes.ts';
import { logCodes } from './log-codes.ts';
import { operatingCodes } from './operating-codes.ts';
import { providerCodes } from './provider-codes.ts';
import { requestCodes } from './request-codes.ts';
import { simulatorCodes } from './simulator-codes.ts';
import { webhookCodes } from './webhook-codes.ts';

/**
 * Every code of an AppError, by area. A code that is not listed cannot be thrown or compared with: neither compiles. The page of errors in
 * the documentation is generated from it.
 */
export const errorCodes = {
  requests: requestCodes,
  linking: linkingCodes,
  providers: providerCodes,
  data: dataCodes,
  labs: labCodes,
  webhooks: webhookCodes,
  log: logCodes,
  operating: operatingCodes,
  simulators: simulatorCodes,
} as const;

type Tables = (typeof errorCodes)[keyof typeof errorCodes];
type KeysOf<Table> = Table extends unknown ? keyof Table : never;

/** A stable code: lower case, words joined by underscores. */
export type ErrorCode = KeysOf<Tables>;

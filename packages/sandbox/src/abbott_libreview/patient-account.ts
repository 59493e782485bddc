import type { SimAccount } from '../kit/accounts/accounts.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** A device whose uploads LibreView has. */
export interface DataSource {
  readonly id: string;
  readonly type: number;
  readonly firmwareVersion: string;
  /** The lengths of the reports that the device has data for, in days. */
  readonly daysData: readonly number[];
}

const libre3App = 40_068;
const oldReader = 40_066;

/** Accounts with this name prefix are patients of LibreView; the others are followers in LibreLinkUp. Neither can log in at the other. */
export const isPatient = ({ name }: SimAccount): boolean => name.startsWith('Patient');

/** Accounts of the United Kingdom show mmol/L, the others mg/dL. */
export const usesMmol = ({ region }: SimAccount): boolean => region === 'gb';

/** Codes are sent by e-mail when no phone is stored. */
const hasNoPhone = ({ name }: SimAccount): boolean => name.startsWith('Patient Mail');

/** Where the account's codes are sent. */
export function twoFactorOf(account: SimAccount): object | null {
  if (!account.wantsMfa) return null;
  if (hasNoPhone(account)) return { primaryMethod: 'email', primaryValue: account.email, secondaryMethod: null, secondaryValue: null };
  return { primaryMethod: 'phone', primaryValue: '+49 170 55512', secondaryMethod: 'email', secondaryValue: account.email };
}

/** A reader that was used until last month, and the app of today. People called Patient Empty have never uploaded anything. */
export function dataSourcesOf({ name }: SimAccount): readonly DataSource[] {
  if (name.startsWith('Patient Empty')) return [];
  return [
    { id: uuidOf(`libre reader:${name}`), type: oldReader, firmwareVersion: '2.1.2', daysData: [90] },
    { id: uuidOf(`libre app:${name}`), type: libre3App, firmwareVersion: '3.4.2', daysData: [1, 7, 14, 30, 90] },
  ];
}

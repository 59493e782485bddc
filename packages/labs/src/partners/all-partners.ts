import type { PartnerMaker } from './directory.ts';
import { getlabs } from './getlabs/getlabs.ts';
import { simulatedGetlabs } from './getlabs/simulated.ts';
import { httpKits } from './http/kits.ts';
import { httpLabs } from './http/labs.ts';
import { simulatedPhlebfinders, simulatedQuest, simulatedSonoraQuest } from './simulated.ts';

/** Every partner of this release, one line each. */
export const allPartners: readonly PartnerMaker[] = [
  getlabs,
  simulatedGetlabs,
  httpLabs,
  httpKits,
  simulatedPhlebfinders,
  simulatedQuest,
  simulatedSonoraQuest,
];

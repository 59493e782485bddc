import { profileDefaults } from '../../kit/pull-presets.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readService } from '../call.ts';
import { mapProfile, measureTypes } from '../mappers/map-measures.ts';
import { createContext } from '../withings.ts';

export const profilePull: PullSpec = {
  ...profileDefaults,
  requiredScopes: ['user.metrics'],
  // Heights of any age are few, so one call covers any window.
  async *pull({ http, user }) {
    const form = { action: 'getmeas', meastypes: String(measureTypes.height), category: '1' };
    const { body, version } = await readService(http, '/measure', form);
    yield { ...mapProfile(body, createContext(user)), version };
  },
};

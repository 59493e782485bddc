import type { SeenDevice } from '@pulsewire/contract';
import { deviceOf } from '../kit/records/recorded-by.ts';
import type { PullUser } from '../kit/types/connector.ts';
import { fitbitSlug } from './context/map-context.ts';

const sourceTypes: Readonly<Record<string, string>> = { TRACKER: 'watch', SCALE: 'scale' };

interface AccountDevice {
  readonly id?: string | null;
  readonly type?: string | null;
  readonly model?: string | null;
}

/** The devices in the account facts. Fitbit does not report which device a record comes from. */
export function fitbitDevices(user: PullUser): readonly SeenDevice[] {
  const list = user.account['devices'];
  return (Array.isArray(list) ? (list as readonly AccountDevice[]) : []).flatMap(({ id = null, type, model = null }) => {
    const sourceType = sourceTypes[type ?? ''] ?? 'unknown';
    const raw = { id, type: type ?? null, deviceVersion: model };
    return (
      deviceOf({ provider: fitbitSlug, user }, { externalId: id, sourceType, manufacturer: 'Fitbit', model, version: null, raw }) ?? []
    );
  });
}

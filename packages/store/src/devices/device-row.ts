import type { Device } from '@pulsewire/contract';
import type { devices } from '../model/tables.ts';

/** The device as responses and events show it. */
export function renderDevice(row: Omit<typeof devices.$inferSelect, 'teamId' | 'createdAt' | 'updatedAt' | 'raw'>): Device {
  return {
    id: row.deviceId,
    user_id: row.userId,
    provider: row.provider,
    source_type: row.sourceType,
    app_id: row.appId,
    device_manufacturer: row.manufacturer,
    device_model: row.model,
    device_version: row.version,
    device_id: row.externalId,
  };
}

import { renderDateTime, type Sample } from '@pulsewire/contract';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { Collected } from '../collected.ts';
import { dayAt, isItem, numberOf, spanOf, textOf } from '../read-item.ts';
import { sourceOf } from '../source.ts';
import type { PhoneItem, PhoneUser } from '../types.ts';
import type { Zones } from '../zones.ts';

/** A watch records one lead. */
const lead = 'lead_1';
/** More often than once a millisecond, samples would have the same time. */
const frequencyMax = 1000;

function voltagesOf(item: PhoneItem): readonly number[] | null {
  const list = item['voltages'];
  return Array.isArray(list) && list.length > 0 && list.every((value) => numberOf(value) !== null) ? (list as number[]) : null;
}

/** Maps electrocardiograms, which only exports have: their identity is app and start; voltages are in mV. */
export function mapElectrocardiograms(items: readonly unknown[], user: PhoneUser, zones: Zones, to: Collected): void {
  const { userId, provider } = user;
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  for (const item of items) {
    const span = isItem(item) ? spanOf(item) : null;
    const voltages = isItem(item) ? voltagesOf(item) : null;
    const frequency = isItem(item) ? numberOf(item['frequency']) : null;
    if (!isItem(item) || !span || !voltages || frequency === null || frequency <= 0 || frequency > frequencyMax) {
      to.leaveOut(isItem(item) && !span ? 'bad_time' : 'unknown_shape');
      continue;
    }
    const { startMs } = span;
    const source = sourceOf(user, item);
    const offsets = zones.offsetFields(item, startMs);
    const atIndex = (index: number) => startMs + Math.round((index * 1000) / frequency);
    const summary = maker.summary({
      resource: 'electrocardiogram',
      sourceType: source.type,
      externalId: [source.appId ?? '', new Date(startMs).toISOString()].join('|'),
      calendarDate: dayAt(startMs, offsets.timezoneOffset),
      at: startMs,
      data: {
        session_start: renderDateTime(startMs),
        session_end: renderDateTime(atIndex(voltages.length)),
        voltage_sample_count: voltages.length,
        heart_rate_mean: null,
        sampling_frequency_hz: frequency,
        classification: textOf(item['classification']),
        inconclusive_cause: textOf(item['inconclusiveCause']),
        algorithm_version: textOf(item['algorithmVersion']),
        time_zone: zones.nameOf(item, startMs),
        source_device_model: textOf((item['source'] as PhoneItem | null)?.['deviceModel']),
      },
    });
    to.keep({ ...summary, source });
    for (const [index, voltage] of voltages.entries()) {
      const sample: Sample = { ts: atIndex(index), value: roundTo(voltage, 6), ...offsets };
      to.add(source, 'electrocardiogram_voltage', lead, sample);
    }
  }
}

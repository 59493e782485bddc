import { expect, it } from 'vitest';
import { parseTeamChanges } from './teams.ts';

it('parses team settings in the notation in which they are shown, and reports all invalid ones', () => {
  expect(parseTeamChanges(['history_days=365', 'contract_date=2024-01-01', 'bulk_operations=on', 'confirm_links=on'])).toEqual({
    historyDays: 365,
    contractDate: '2024-01-01',
    bulkOperations: true,
    confirmLinks: true,
  });
  expect(parseTeamChanges(['history_days=usual', 'contract_date=today'])).toEqual({ historyDays: null, contractDate: null });
  expect(parseTeamChanges(['source_order=oura,fitbit/watch', 'source_order.steps=apple_health_kit', 'source_order.sleep=usual'])).toEqual({
    sourceOrder: { default: ['oura', 'fitbit/watch'], steps: ['apple_health_kit'], sleep: null },
  });
  expect(() => parseTeamChanges(['source_order.order=oura', 'source_order.steps=nobody', 'source_order=', 'source_order.=oura'])).toThrow(
    /source_order\.order=oura, source_order\.steps=nobody, source_order=, source_order\.=oura\. /,
  );
  expect(() => parseTeamChanges(['history_days=366', 'history_days=0', 'bulk_operations=yes', 'nothing=on'])).toThrow(
    /history_days=366, history_days=0, bulk_operations=yes, nothing=on\. Settings: .*history_days=<1-365\|usual>/,
  );
});

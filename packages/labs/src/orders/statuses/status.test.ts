import { expect, test } from 'vitest';
import { collectionMethods } from '../../model/catalogue.ts';
import type { LowStatus } from '../../model/order-status-words.ts';
import { allStatuses, fullStatus, isAllowed, isFinal, lowLevel, restOfSuccessPath, shortestPath } from './status.ts';
import { machineOf } from './transitions.ts';

// A literal copy of the statuses that clients know, so that none can be lost or renamed unnoticed.
const published: readonly string[] =
  'received.walk_in_test.ordered received.walk_in_test.requisition_created received.walk_in_test.requisition_bypassed completed.walk_in_test.completed sample_with_lab.walk_in_test.partial_results failed.walk_in_test.sample_error cancelled.walk_in_test.cancelled collecting_sample.walk_in_test.appointment_pending collecting_sample.walk_in_test.appointment_scheduled collecting_sample.walk_in_test.appointment_cancelled collecting_sample.walk_in_test.redraw_available received.at_home_phlebotomy.ordered received.at_home_phlebotomy.requisition_created received.at_home_phlebotomy.requisition_bypassed collecting_sample.at_home_phlebotomy.appointment_pending collecting_sample.at_home_phlebotomy.appointment_scheduled collecting_sample.at_home_phlebotomy.draw_completed collecting_sample.at_home_phlebotomy.appointment_cancelled completed.at_home_phlebotomy.completed sample_with_lab.at_home_phlebotomy.partial_results cancelled.at_home_phlebotomy.cancelled failed.at_home_phlebotomy.sample_error received.testkit.ordered received.testkit.awaiting_registration received.testkit.requisition_created received.testkit.requisition_bypassed received.testkit.registered collecting_sample.testkit.transit_customer collecting_sample.testkit.out_for_delivery collecting_sample.testkit.with_customer collecting_sample.testkit.transit_lab sample_with_lab.testkit.delivered_to_lab sample_with_lab.testkit.lab_processing_blocked completed.testkit.completed failed.testkit.failure_to_deliver_to_customer failed.testkit.failure_to_deliver_to_lab failed.testkit.sample_error failed.testkit.lost cancelled.testkit.cancelled cancelled.testkit.do_not_process collecting_sample.testkit.problem_in_transit_customer collecting_sample.testkit.problem_in_transit_lab received.on_site_collection.ordered received.on_site_collection.requisition_created received.on_site_collection.requisition_bypassed sample_with_lab.on_site_collection.draw_completed completed.on_site_collection.completed cancelled.on_site_collection.cancelled sample_with_lab.on_site_collection.partial_results failed.on_site_collection.sample_error completed.walk_in_test.corrected completed.at_home_phlebotomy.corrected completed.on_site_collection.corrected completed.testkit.corrected'.split(
    ' ',
  );

test('has exactly the 54 published statuses', () => {
  expect(published).toHaveLength(54);
  expect(allStatuses.toSorted()).toEqual(published.toSorted());
});

test('reaches each status from a start, and lists only statuses of the method', () => {
  for (const method of collectionMethods) {
    const reached = new Set<string>();
    for (const isRegistrable of method === 'testkit' ? [false, true] : [false]) {
      const { starts, edges, successPath } = machineOf(method, isRegistrable);
      for (const from of starts)
        for (const low of allStatuses.filter((status) => status.includes(`.${method}.`)).map(lowLevel))
          if (shortestPath({ method, isRegistrable, from }, low) !== null) reached.add(fullStatus(method, low));
      for (const low of [...(Object.keys(edges) as LowStatus[]), ...Object.values(edges).flat(), ...successPath])
        expect(() => fullStatus(method, low)).not.toThrow();
      for (const [at, low] of successPath.entries()) {
        const from = successPath[at - 1];
        if (from !== undefined) expect(isAllowed({ method, isRegistrable, from }, low)).toBe(true);
      }
    }
    expect([...reached].toSorted()).toEqual(published.filter((status) => status.includes(`.${method}.`)).toSorted());
  }
});

test('allows no transition from a final status, except corrections of completed orders', () => {
  for (const status of allStatuses.filter(isFinal)) {
    const [, method = ''] = status.split('.');
    const low = lowLevel(status);
    const next = machineOf(method as (typeof collectionMethods)[number], false).edges[low] ?? [];
    expect([status, next]).toEqual([status, low === 'completed' || low === 'corrected' ? ['corrected'] : []]);
  }
});

test('completes an order off the success path by the shortest path, and a final one not at all', () => {
  const from = (low: LowStatus) => restOfSuccessPath({ method: 'at_home_phlebotomy', isRegistrable: false, from: low });
  expect(from('ordered')).toEqual(['requisition_created', 'appointment_pending', 'appointment_scheduled', 'draw_completed', 'completed']);
  expect(from('appointment_cancelled')).toEqual(['appointment_scheduled', 'draw_completed', 'completed']);
  expect(from('cancelled')).toBeNull();
});

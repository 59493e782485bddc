import { clockSteps } from './clock-steps.ts';
import { movedPartitions, rollingBrokers } from './cluster-changes.ts';
import { forgedRecord } from './forged-record.ts';
import { frozenRelay } from './frozen-relay.ts';
import { kafkaAway } from './kafka-away.ts';
import { killedWorkers } from './killed-workers.ts';
import { lostCommits } from './lost-commits.ts';
import { promotedStandby } from './promoted-standby.ts';
import { readOnlyPrimary } from './read-only-primary.ts';
import type { Scenario } from './scenario.ts';
import { uncleanLeaders } from './unclean-leaders.ts';

/** Every scenario, one line each. */
export const scenarios: readonly Scenario[] = [
  lostCommits,
  killedWorkers,
  promotedStandby,
  readOnlyPrimary,
  clockSteps,
  frozenRelay,
  kafkaAway,
  forgedRecord,
  rollingBrokers,
  movedPartitions,
  uncleanLeaders,
];

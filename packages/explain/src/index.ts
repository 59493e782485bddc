export { conclude, type Conclusion } from './conclude.ts';
export { readDay, type DayHistory, type ExplainContext, type ExplainedConnection } from './read-day.ts';

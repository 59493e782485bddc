export { createAnalyteMatcher } from './analyte-matcher.ts';
export { compose, type ReportParserConfig, type ReportParserParts, type ReportParserService } from './compose.ts';
export { reportParserConfig } from './config.ts';
export { doubtfulResults, toReportData } from './report-data.ts';

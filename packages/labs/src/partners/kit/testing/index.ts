export { describeKits, type KitCase } from './describe-kits.ts';
export { describeLab, type LabCase } from './describe-lab.ts';
export { describeScheduling, type SchedulingCase } from './describe-scheduling.ts';

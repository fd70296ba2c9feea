// housekeeping: what a node does every few minutes beside its requests.
// Owns: when that is done, by which node, and in which process (docs/decisions/0211-much-is-tidied-beside.md).
// Does not own: what is kept for how long (storage), or how it is removed (the floor that has it).
export { reportDamage } from './report-damage.ts'
export { startHousekeeping } from './start-housekeeping.ts'
export { tidyIfDue } from './tidy-if-due.ts'

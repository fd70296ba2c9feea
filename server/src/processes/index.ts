// processes: several processes that serve one port of one host. Owns: the parent that starts, replaces and drains them, and what it and
// they tell each other. Does not own: what a process serves, nor what nodes tell each other about data (changes).

export { joinParent, type Siblings } from './child.ts'
export { PROCESSES_FORM, parseProcesses } from './count.ts'
export type { Metric } from './messages.ts'

// reports: the figures of a day and a month that follow from the events of payments.
// Owns: what each figure means, the sums by day in the operator's time zone, and the zone. A stream is counted again whenever it was held;
// the sums change by the difference (docs/decisions/0176-figures-of-a-month.md).
// Does not own: the events and what they come to (payment-history), or who may read the figures (admin).
export { countForReader, countStreams, countUncounted, isMuchUncounted } from './count-streams.ts'
export { REAIS } from './currency.ts'
export { dayIn, daysBetween, periodOf, plusDays, startOfDay } from './days.ts'
export { CHANGES } from './entry.ts'
export type { Figures } from './figures.ts'
export { type Active, activeSubscriptions, isActive } from './lists/active-store.ts'
export { type Changed, changedSubscriptions } from './lists/changed-store.ts'
export { isId } from './lists/id-store.ts'
export { MONEY_KINDS, PARTS_OF_NET } from './lists/lists.ts'
export { listMoney } from './lists/money-store.ts'
export { countedMonthly, isMonthly, type Monthly, monthlySubscriptions } from './lists/prices-store.ts'
export { type MonthReport, monthAt, parseMonth, readMonth } from './month.ts'
export { applyZone, parseZone, readZone, setZone } from './zone.ts'

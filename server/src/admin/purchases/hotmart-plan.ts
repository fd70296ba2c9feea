import type { Cycle } from '../../gateways/index.ts'

/** A plan here, and for how long a payment at Hotmart pays for it; without a period, for good. */
export interface HotmartPlan {
  product: string
  plan: string
  period: Cycle | undefined
}

/** Reads `CODE=PRODUCT/PLAN`, with `@12m`, `@1y` or `@30d` where a payment pays for a time. */
export function parseHotmartPlan(text: string): [code: string, plan: HotmartPlan] | undefined {
  const read = /^(?<code>.+)=(?<product>[^/=@]+)\/(?<plan>[^/=@]+?)(?:@(?<count>[1-9]\d{0,3})(?<unit>[dmy]))?$/.exec(text)?.groups
  if (!read) return undefined
  const { code = '', product = '', plan = '', count, unit } = read
  const period = count === undefined ? undefined : cycleOf(Number(count), unit)
  return [code.trim(), { product, plan, period }]
}

function cycleOf(count: number, unit: string | undefined): Cycle {
  if (unit === 'd') return { count, unit: 'days' }
  return { count: unit === 'y' ? count * 12 : count, unit: 'months' }
}

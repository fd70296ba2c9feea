import { type MonthReport, REAIS } from '../../reports/index.ts'
import type { Activity } from '../overview/days.ts'
import type { Names } from '../subscriptions/subscription-json.ts'

/** The figures of a month, on the command line and in the admin API alike, with the names of products and plans as they are now. */
export function reportJson(
  report: MonthReport,
  { activity, before }: { activity: Activity; before: Activity },
  { products, plans }: Names,
) {
  return {
    month: report.month,
    time_zone: report.zone,
    currency: REAIS,
    from: report.from,
    to: report.to,
    is_complete: report.isComplete,
    is_counting: report.isCounting,
    figures: report.figures,
    activity,
    before: { ...report.before, activity: before },
    plans: report.plans.map(({ productId, planId, figures, before }) => ({
      product_id: productId ?? null,
      product: products.get(productId ?? '') ?? null,
      plan_id: planId ?? null,
      plan_slug: plans.get(planId ?? '') ?? null,
      figures,
      before,
    })),
    other_currencies: report.currencies,
    days: report.days,
  }
}
